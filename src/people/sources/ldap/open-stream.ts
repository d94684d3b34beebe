import { once } from 'node:events'
import { isIP, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { connectTo, type NetworkConfig } from '#outbound/network/index.ts'
import type { LdapConfig } from '../config.ts'
import { type MessageLimits, MessageStream, messageLength } from './message-stream.ts'

type Target = Pick<LdapConfig, 'security_protocol' | 'host' | 'port' | 'skip_tls_verify' | 'tls_ca'>

/** A connection over which passwords may go, as the source is set up. @throws Error; nothing is left open then */
export async function openStream(network: NetworkConfig, target: Target, limits: MessageLimits, signal: AbortSignal): Promise<MessageStream> {
  const port = target.port || (target.security_protocol === 'ldaps' ? 636 : 389)
  const socket = await connectTo(network, target.host, port, signal)
  try {
    if (target.security_protocol === 'starttls') await askForTls(socket, signal)
    const secured = target.security_protocol === 'unencrypted' ? socket : await secure(socket, target, signal)
    return new MessageStream(secured, limits)
  } catch (error) {
    socket.on('error', () => {})
    socket.destroy()
    throw error
  }
}

async function secure(socket: Socket, { host, skip_tls_verify: takesAny, tls_ca: ca }: Target, signal: AbortSignal): Promise<Socket> {
  const name = host.replace(/^\[|\]$/g, '')
  const secured = connectSecurely({
    socket,
    host: name,
    servername: isIP(name) === 0 ? name : undefined,
    rejectUnauthorized: !takesAny,
    ca: ca === '' ? undefined : ca,
  })
  // A connection that was given up fails once more as it is closed, when nobody waits for it any longer.
  secured.on('error', () => {})
  await ready(secured, 'secureConnect', signal)
  return secured
}

/** Resolves with the socket's event. @throws Error when it fails or ends first, or the signal says that it is late */
async function ready(socket: Socket, event: 'secureConnect' | 'data', signal: AbortSignal): Promise<void> {
  const closed = new AbortController()
  const close = () => closed.abort()
  socket.once('close', close)
  try {
    await once(socket, event, { signal: AbortSignal.any([signal, closed.signal]) })
  } catch (error) {
    if (closed.signal.aborted) throw new Error('the server closed the connection', { cause: error })
    throw signal.aborted ? new Error('the server did not respond in time', { cause: error }) : error
  } finally {
    socket.off('close', close)
  }
}

/** Message 1, an extended request of 1.3.6.1.4.1.1466.20037. Source: RFC 4511 §4.12 and §4.14. */
const startTls = Buffer.concat([Buffer.from([0x30, 0x1d, 0x02, 0x01, 0x01, 0x77, 0x18, 0x80, 0x16]), Buffer.from('1.3.6.1.4.1.1466.20037')])

/** `resultCode success` of an extended response to it, as far as that is the same in every one. */
const agreed = Buffer.from([0x02, 0x01, 0x01, 0x78])
const success = Buffer.from([0x0a, 0x01, 0x00])

/** A message that is longer is no answer to this. */
const MAX_ANSWER = 1024

/**
 * Nothing may come behind the answer: whoever sits on the way could have put it there, and it would count as said under TLS.
 * @throws Error when the directory does not agree
 */
async function askForTls(socket: Socket, signal: AbortSignal): Promise<void> {
  socket.write(startTls)
  let answer = Buffer.alloc(0)
  const collect = (chunk: Buffer) => {
    answer = Buffer.concat([answer, chunk])
  }
  socket.on('data', collect)
  while (answer.length < 2 || answer.length < (messageLength(answer) ?? 0)) {
    await ready(socket, 'data', signal)
    if (answer.length > MAX_ANSWER) throw new Error('the response to StartTLS is too long')
  }
  socket.off('data', collect)
  socket.pause()
  if (answer.length !== messageLength(answer)) throw new Error('the server sent additional data before the TLS handshake')
  if (!isAgreed(answer)) throw new Error('the server does not support StartTLS')
}

function isAgreed(answer: Buffer): boolean {
  const at = answer.indexOf(agreed)
  // A length of one or more bytes stands between the two.
  return at > 0 && at <= 6 && answer.subarray(at + agreed.length, at + agreed.length + 8).includes(success)
}
