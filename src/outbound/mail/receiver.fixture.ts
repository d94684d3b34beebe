import { once } from 'node:events'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface Received {
  from: string
  to: string[]
  /** As it came over the wire. */
  raw: string
  isSecure: boolean
  user: string | undefined
}

export interface Receiver extends AsyncDisposable {
  port: number
  mails: Received[]
  /** How often someone connected. */
  connections: number
  /** What `answer` returns for a mail refuses it, once it is there; it may change while the receiver runs. */
  answer: (mail: Received) => Error | undefined | Promise<undefined>
}

/** A mail server on a free port of this machine, or on a socket. */
export async function receiver(options: SMTPServerOptions = {}, socket?: string): Promise<Receiver> {
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    disableReverseLookup: true,
    closeTimeout: 1,
    logger: false,
    onAuth: (auth, _, done) => (auth.password === 'hunter2hunter2' ? done(null, { user: auth.username }) : done(new Error('Bad credentials'))),
    onConnect: (_, done) => {
      it.connections++
      done()
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? '' : (mailFrom?.address ?? '')
        const mail = { from, to: rcptTo.map(({ address }) => address), raw: Buffer.concat(chunks).toString(), isSecure: session.secure, user: session.user }
        const refusal = await it.answer(mail as Received)
        if (!refusal) it.mails.push(mail as Received)
        done(refusal ?? null)
      })
    },
    ...options,
  })
  server.on('error', () => {})
  const listener = socket === undefined ? server.listen(0, '127.0.0.1') : server.listen(socket)
  await once(listener, 'listening')
  const address = listener.address()
  const it: Receiver = {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    mails: [],
    connections: 0,
    answer: () => undefined,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
  return it
}

/** What a mail server says, with its code. */
export function refusal(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode })
}
