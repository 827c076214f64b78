import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Json } from '../../engine/index.ts';
import { version } from '../../kernel/index.ts';
import { schemaOf, type ToolDefinition, toolWrites } from '../../toolkit/index.ts';
import { finishTool, nextBarTool } from './trading-session.ts';

const INSTRUCTIONS = `You trade historical bars in a backtest. The current time is the close of one bar. You see this bar and all earlier bars,
never a later one. Use the market and indicator tools, compute in Python, and place orders with trade_execute: they can fill
from the open of the next bar on. Then call next_bar, which reports all events. Call finish at the end: the run's reports are then
written. Every call is recorded in the run's journal.`;

/**
 * Creates an MCP server for tools, `next_bar` and `finish`. It starts when it is connected to a transport.
 */
export function createMcpServer(
  tools: readonly ToolDefinition[],
  call: (name: string, given: unknown) => Promise<Json>,
): Server {
  const server = new Server(
    { name: 'sandtable', version: version() },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  const listed = [
    ...tools.map(({ function: tool }) => entry(tool.name, tool.description, tool.parameters)),
    ...[nextBarTool, finishTool].map((tool) => entry(tool.name, tool.description, schemaOf(tool.parameters))),
  ];
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const answer = await call(params.name, params.arguments);
    const failed = typeof answer === 'object' && answer !== null && 'error' in answer;
    return {
      content: [{ type: 'text', text: JSON.stringify(answer) }],
      ...(failed ? { isError: true } : {}),
    };
  });
  return server;
}

function entry(name: string, description: string, schema: ToolDefinition['function']['parameters']) {
  const moves = name === nextBarTool.name || name === finishTool.name;
  return {
    name,
    description,
    inputSchema: { ...schema, type: 'object' as const },
    annotations: { readOnlyHint: !moves && !toolWrites(name), openWorldHint: false },
  };
}
