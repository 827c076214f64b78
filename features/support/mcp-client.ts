import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Json } from '../../src/engine/index.ts';
import { projectPath, wordsOf } from './command-line.ts';

/** Client of the official SDK, connected over stdio to a separate `sandtable mcp` process. */
export class McpClient {
  readonly #client: Client;
  readonly #transport: StdioClientTransport;
  readonly #pid: number;
  /** Texts of all responses so far, unchanged. */
  readonly texts: string[] = [];

  private constructor(client: Client, transport: StdioClientTransport, pid: number) {
    this.#client = client;
    this.#transport = transport;
    this.#pid = pid;
  }

  static async connect(line: string, folder: string): Promise<McpClient> {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [projectPath('dist/cli/bin.js'), ...wordsOf(line)],
      cwd: folder,
      stderr: 'pipe',
      env: process.env as Record<string, string>,
    });
    const client = new Client({ name: 'feature', version: '1.0.0' });
    await client.connect(transport);
    return new McpClient(client, transport, transport.pid ?? 0);
  }

  async tools(): Promise<
    { name: string; description?: string | undefined; inputSchema: { type: string } }[]
  > {
    return (await this.#client.listTools()).tools;
  }

  get instructions(): string {
    return this.#client.getInstructions() ?? '';
  }

  async call(name: string, given: Record<string, unknown>): Promise<{ answer: Json; failed: boolean }> {
    const { content, isError } = await this.#client.callTool({ name, arguments: given });
    const [part] = content as { type: string; text: string }[];
    this.texts.push(part?.text ?? '');
    return { answer: JSON.parse(part?.text ?? 'null') as Json, failed: isError === true };
  }

  /** Closes the connection and waits until the server has ended. */
  async leave(): Promise<void> {
    await this.#client.close();
    await this.#gone();
  }

  async signal(name: NodeJS.Signals): Promise<void> {
    process.kill(this.#pid, name);
    await this.#gone();
  }

  async tidy(): Promise<void> {
    await this.#transport.close().catch(() => undefined);
  }

  async #gone(): Promise<void> {
    for (let waited = 0; waited < 600; waited++) {
      try {
        process.kill(this.#pid, 0);
      } catch {
        return;
      }
      await sleep(50);
    }
    throw new Error('the server is still there after 30 s');
  }
}
