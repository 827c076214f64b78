/**
 * Piece of Python code with its kind, which determines its colour. The concatenated pieces are exactly the
 * code.
 */
export interface PythonToken {
  readonly kind: 'keyword' | 'constant' | 'string' | 'number' | 'comment' | 'decorator' | 'call' | 'plain';
  readonly text: string;
}

const KEYWORDS = new Set(
  'and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);
const CONSTANTS = new Set(['True', 'False', 'None', 'Ellipsis', 'NotImplemented', 'self', 'cls']);
/** Words that are keywords only at the beginning of a statement. Elsewhere they are names. */
const SOFT = new Set(['match', 'case']);

// Based on the lexical analysis in Python's reference manual, as far as it matters for colours. An
// unterminated string ends at the end of its line, a triple-quoted one at the end of the code. The
// alternatives do not overlap, which prevents excessive backtracking.
const TOKEN = new RegExp(
  [
    /(?<comment>#[^\n]*)/u,
    /(?<string>(?<![\w])(?:[rbuft]|rb|br|rf|fr|rt|tr)?(?:"""(?:[^\\"]|\\(?:[\s\S]|$)|"(?!""))*(?:"""|$)|'''(?:[^\\']|\\(?:[\s\S]|$)|'(?!''))*(?:'''|$)|"(?:[^\\"\n]|\\(?:[\s\S]|$))*(?:"|(?=\n)|$)|'(?:[^\\'\n]|\\(?:[\s\S]|$))*(?:'|(?=\n)|$)))/,
    /(?<number>(?<![\w])(?:0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?[jJ]?))/,
    /(?<decorator>@(?<=^[ \t]*@)[\p{L}_][\p{L}\p{N}_.]*)/u,
    /(?<name>[\p{L}_][\p{L}\p{N}_]*)/u,
  ]
    .map((part) => part.source)
    .join('|'),
  'gimu',
);

/** Splits Python code into pieces for highlighting. Invalid code is split as well. */
export function pythonTokens(code: string): PythonToken[] {
  const tokens: PythonToken[] = [];
  let end = 0;
  for (const match of code.matchAll(TOKEN)) {
    if (match.index > end) tokens.push({ kind: 'plain', text: code.slice(end, match.index) });
    const [text] = match;
    tokens.push({ kind: kindOf(match, code), text });
    end = match.index + text.length;
  }
  if (end < code.length) tokens.push({ kind: 'plain', text: code.slice(end) });
  return tokens;
}

function kindOf(match: RegExpExecArray, code: string): PythonToken['kind'] {
  const { comment, string, number, decorator, name = '' } = match.groups ?? {};
  if (comment !== undefined) return 'comment';
  if (string !== undefined) return 'string';
  if (number !== undefined) return 'number';
  if (decorator !== undefined) return 'decorator';
  const isAttribute = code[match.index - 1] === '.';
  if (!isAttribute && KEYWORDS.has(name) && (!SOFT.has(name) || beginsLine(code, match.index)))
    return 'keyword';
  if (!isAttribute && CONSTANTS.has(name)) return 'constant';
  return code[match.index + name.length] === '(' ? 'call' : 'plain';
}

function beginsLine(code: string, index: number): boolean {
  const before = code.slice(code.lastIndexOf('\n', index - 1) + 1, index);
  const after = code.slice(index).match(/^\w+[ \t]+[\w"'([{*-]/);
  return before.trim() === '' && after !== null;
}
