// The official client of the first major (@modelcontextprotocol/sdk) against
// the program, over a pipe and over HTTP: node sdk-1.mjs BINARY CATALOG
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { converse } from './conversation.mjs';
import { overHTTP, overPipe } from './server.mjs';

async function talk(transport, bare) {
  const client = new Client({ name: 'sdk-1', version: '1' });
  await client.connect(transport);
  await converse(client, {
    bare,
    ask: (method, params) => client.request({ method, params }, ResultSchema),
    call: (params, options) => client.callTool(params, undefined, options),
    watch: async (uri) => {
      await client.subscribeResource({ uri });
      await client.unsubscribeResource({ uri });
    },
  });
  await client.close();
}

const [binary, catalog] = process.argv.slice(2);
await overPipe('sdk 1.x', binary, catalog, (parameters) => talk(new StdioClientTransport(parameters), true));
await overHTTP('sdk 1.x', binary, catalog, (url) => talk(new StreamableHTTPClientTransport(url), false));
