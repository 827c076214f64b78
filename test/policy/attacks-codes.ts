import type { Attack } from './attack.ts';

const C = 'c = pd.Categorical(["a", "b"])\n';
const M = 'm = pd.MultiIndex.from_arrays([["a", "b"], [1, 2]])\n';
const past = (made: string, write: string, codes: string): string =>
  `${made}${write}\nresult = "PWNED" if ${codes}[0] == 90 else 0`;

/**
 * Attacks that write category codes without a category after pandas has checked the codes. Compiled code
 * would then read arbitrary memory of the process. Each attack works in Python without the restrictions of
 * the sandbox (test/fence/codes.test.ts).
 */
export const codeAttacks: readonly Attack[] = [
  { name: 'codes of a Categorical by ufunc.at', code: past(C, 'np.add.at(c.codes, 0, 90)', 'c.codes') },
  {
    name: 'codes of a Categorical by ufunc.at of the class',
    code: past(C, 'np.ufunc.at(np.add, c.codes, 0, 90)', 'c.codes'),
  },
  {
    name: 'codes of a Categorical by ufunc.at of the type',
    code: past(C, 'type(np.add).at(np.add, c.codes, 0, 90)', 'c.codes'),
  },
  {
    name: 'codes of a Categorical by getattr',
    code: past(C, 'getattr(np.add, "at")(c.codes, 0, 90)', 'c.codes'),
  },
  {
    name: 'codes of a Categorical by attrgetter',
    code: past(C, 'from operator import attrgetter\nattrgetter("add.at")(np)(c.codes, 0, 90)', 'c.codes'),
  },
  {
    name: 'codes of a Categorical by methodcaller',
    code: past(C, 'from operator import methodcaller\nmethodcaller("at", c.codes, 0, 90)(np.add)', 'c.codes'),
  },
  {
    name: 'codes of a Categorical by df.eval of a method',
    code: past(C, 'f = np.add\nz = c.codes\ndf.eval("@f.at(@z, 0, 90)")', 'c.codes'),
  },
  {
    name: 'codes of a Categorical by df.eval of a function',
    code: past(C, 'f = np.add.at\nz = c.codes\ndf.eval("@f(@z, 0, 90)")', 'c.codes'),
  },
  {
    name: 'codes of a Categorical by a class pattern',
    code: past(C, 'match np.add:\n    case np.ufunc(at=f): f(c.codes, 0, 90)', 'c.codes'),
  },
  {
    name: 'codes of a Categorical by pipe',
    code: past(C, 'df.pipe(lambda d: np.add.at(c.codes, 0, 90))', 'c.codes'),
  },
  {
    name: 'codes of a column by ufunc.at',
    code: past('c = pd.Series(["a", "b"], dtype="category").array\n', 'np.add.at(c.codes, 0, 90)', 'c.codes'),
  },
  {
    name: 'codes of a MultiIndex by ufunc.at',
    code: past(M, 'np.add.at(m.codes[0], 0, 90)', 'm.codes[0]'),
  },
  {
    name: 'codes given to from_codes, written afterwards',
    code: past('z = np.zeros(2, "int8")\n', 'c = pd.Categorical.from_codes(z, ["a"])\nz[0] = 90', 'c.codes'),
  },
  {
    name: 'codes given to a MultiIndex, written afterwards by a view',
    code: past(
      'z = np.zeros(2, "int8")\nv = z[:]\n',
      'm = pd.MultiIndex(levels=[["a"]], codes=[z])\nv[0] = 90',
      'm.codes[0]',
    ),
  },
  {
    name: 'codes given to set_codes, written afterwards by a view',
    code: past('z = np.zeros(2, "int8")\nv = z[:]\n', `${M}m = m.set_codes([z, z])\nv[0] = 90`, 'm.codes[0]'),
  },
];
