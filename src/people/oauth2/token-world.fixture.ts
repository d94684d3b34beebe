import { createHash } from 'node:crypto'
import { oneStepBatches, type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { type Application, CALLBACK, makeApplication, OAuthBrowser } from './client.fixture.ts'

/** What the endpoints for applications answer. */
export interface Answer {
  status: number
  access_token: string
  refresh_token: string
  id_token?: string
  scope: string
  error?: string
}

export const verifier = 'v'.repeat(43)
export const challenge = createHash('sha256').update(verifier).digest('base64url')

/** `400 invalid_grant` */
export const said = ({ status, error }: Answer) => `${status} ${error}`

/** A forge with `ada`, and applications of `maker` that ask for tokens in her name. */
export class TokenWorld implements AsyncDisposable {
  now = 1_800_000_000
  readonly forge: TestForge = testForge({}, { ...oneStepBatches, clock: { seconds: () => this.now, millis: () => this.now * 1000 } })
  ada!: Person
  /** One that keeps a secret, another like it, and one that cannot keep any. */
  application!: Application
  other!: Application
  open!: Application

  static async make(): Promise<TokenWorld> {
    const world = new TokenWorld()
    world.ada = await world.forge.person('ada')
    await world.forge.person('maker')
    world.application = await makeApplication(world.forge, 'maker', { redirect_uris: [CALLBACK, `${CALLBACK}/second`] })
    world.other = await makeApplication(world.forge, 'maker')
    world.open = await makeApplication(world.forge, 'maker', { confidential_client: false })
    return world
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.forge[Symbol.asyncDispose]()
  }

  async ask(path: string, client: Application | undefined, fields: Record<string, string>): Promise<Answer> {
    const headers: Record<string, string> = client ? { Authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}` } : {}
    const response = await this.forge.app.handle(
      new Request(`http://localhost/login/oauth/${path}`, { method: 'POST', headers, body: new URLSearchParams(fields) }),
    )
    if (response.headers.get('cache-control') !== 'no-store') throw new Error(`What /login/oauth/${path} answers may be kept`)
    return { status: response.status, ...((await response.json()) as Omit<Answer, 'status'>) }
  }

  /** A person agrees to what a client asks for. */
  async codeFor(client: Application, person = this.ada, parameters: Record<string, string> = {}): Promise<string> {
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
    const query = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'read:user',
      ...pkce,
      ...parameters,
    })
    const answer = await new OAuthBrowser(this.forge, person).agree(`/login/oauth/authorize?${query}`)
    return answer.searchParams.get('code') ?? ''
  }

  exchange(client: Application | undefined, code: string, more: Record<string, string> = {}): Promise<Answer> {
    return this.ask('access_token', client, { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier, ...more })
  }

  refresh(client: Application, refresh_token: string, more: Record<string, string> = {}): Promise<Answer> {
    return this.ask('access_token', client, { grant_type: 'refresh_token', refresh_token, ...more })
  }

  async tokensFor(client = this.application, person = this.ada, parameters: Record<string, string> = {}): Promise<Answer> {
    return this.exchange(client, await this.codeFor(client, person, parameters))
  }

  async statusWith(token: string, line = 'GET /user'): Promise<number> {
    return (await this.forge.send(line, { headers: { Authorization: `Bearer ${token}` } })).status
  }
}
