import type { LineTransport } from './line-transport.ts';
import type { createMcpServer } from './mcp-server.ts';

/** What serves a client over MCP; the library beneath is loaded for that alone, not with every run. */
export async function loadMcp(): Promise<{
  readonly LineTransport: typeof LineTransport;
  readonly createMcpServer: typeof createMcpServer;
}> {
  const [transport, server] = await Promise.all([import('./line-transport.ts'), import('./mcp-server.ts')]);
  return { LineTransport: transport.LineTransport, createMcpServer: server.createMcpServer };
}
