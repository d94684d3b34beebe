/** What the tests use of it; it comes without types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    readonly Grant: new (of: {
      clientId: string
      accountId: string
    }) => { addOIDCScope(scope: string): void; save(): Promise<string> }
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: Record<string, unknown>): Promise<void>
  }
}
