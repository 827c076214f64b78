/**
 * Questions that Python sends during a call. Only bytes cross: Python writes a question to its standard output and
 * reads the answer from its standard input, so that it needs no JavaScript object.
 *
 * Each message consists of its length (uint32, little-endian) and its text in UTF-8.
 */
import type { PyodideInterface } from 'pyodide';
import { readRequest, writeReply } from './pipe.ts';

const LENGTH_BYTES = 4;
const NOTHING = Buffer.alloc(0);

/** Connects Python's standard streams with the engine. Call before the file system is sealed. */
export function connectQuestions(pyodide: PyodideInterface): void {
  let question = NOTHING as Buffer;
  let answer = NOTHING as Buffer;
  pyodide.setStdout({
    // The sealed file system allows writing to terminals only.
    isatty: true,
    write(bytes) {
      question = Buffer.concat([question, bytes]);
      if (question.length >= LENGTH_BYTES && question.length >= LENGTH_BYTES + question.readUInt32LE(0)) {
        const text = question.toString('utf8', LENGTH_BYTES, LENGTH_BYTES + question.readUInt32LE(0));
        question = NOTHING;
        answer = ask(text);
      }
      return bytes.length;
    },
  });
  pyodide.setStdin({
    isatty: false,
    read(into) {
      const count = Math.min(into.length, answer.length);
      into.set(answer.subarray(0, count));
      answer = answer.subarray(count);
      return count;
    },
  });
}

function ask(question: string): Buffer {
  writeReply({ type: 'ask' }, question);
  const frame = readRequest();
  if (frame?.header.type !== 'answer') throw new Error('the engine did not answer');
  const text = Buffer.from(frame.body, 'utf8');
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text]);
}
