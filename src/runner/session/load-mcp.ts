import type { createMcpServer, LineTransport } from './mcp-server.ts';

/** Loads the MCP server and its library, which only MCP sessions need. */
export async function loadMcp(): Promise<{
  readonly LineTransport: typeof LineTransport;
  readonly createMcpServer: typeof createMcpServer;
}> {
  const [transport, server] = await Promise.all([import('./mcp-server.ts'), import('./mcp-server.ts')]);
  return { LineTransport: transport.LineTransport, createMcpServer: server.createMcpServer };
}
