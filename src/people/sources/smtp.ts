import { isIP, type Socket } from 'node:net'
import { messageOf } from '#kernel/errors.ts'
import { connectTo, type NetworkConfig } from '#outbound/network/index.ts'
import type { SmtpConfig } from './config.ts'
import { type FoundPerson, SourceUnavailable } from './found.ts'

type Connection = import('nodemailer/lib/smtp-connection').default

/** The most that a mail server's answer may have, in bytes. */
const MAX_ANSWER = 65_536

/** What mail servers answer to wrong credentials, and where an application-specific password is asked for. Source: RFC 4954 §6, RFC 3463 §3.8. */
const REFUSALS: readonly unknown[] = [534, 535]

/**
 * Asks a mail server whether somebody has this password there.
 * @param name an address, of the domains that are let in, where these are named
 * @throws SourceUnavailable when the server is not reached, not over TLS as it is to be, or answers something else
 */
export async function signInBySmtp(
  network: NetworkConfig,
  config: SmtpConfig,
  name: string,
  password: string,
  signal: AbortSignal,
): Promise<FoundPerson | undefined> {
  if (!isInDomain(config.allowed_domains, name)) return undefined
  const { default: SmtpConnection } = await import('nodemailer/lib/smtp-connection')
  let connection: Connection | undefined
  try {
    const port = config.port || (config.security_protocol === 'smtps' ? 465 : 587)
    const opened = new SmtpConnection(connectionOptions(config, await connectTo(network, config.host, port, signal)))
    connection = opened
    await inTime(opened, signal, (done) => opened.connect(done))
    await inTime(opened, signal, (done) =>
      opened.login({ method: config.auth_type, user: name, pass: password, credentials: { user: name, pass: password } }, done),
    )
    return presentPerson(name)
  } catch (error) {
    if (REFUSALS.includes((error as { responseCode?: unknown }).responseCode)) return undefined
    throw new SourceUnavailable(`Cannot authenticate with the SMTP server ${config.host}: ${messageOf(error)}`, { cause: error })
  } finally {
    connection?.close()
  }
}

function connectionOptions(config: SmtpConfig, connection: Socket) {
  const { security_protocol: protocol, host, helo_hostname, disable_helo, skip_verify: takesAny, tls_ca: ca } = config
  const isSecure = protocol === 'smtps'
  const servername = isIP(host) === 0 ? host : undefined
  return {
    connection,
    host,
    servername,
    secure: isSecure,
    requireTLS: protocol === 'starttls',
    ignoreTLS: protocol === 'unencrypted',
    name: disable_helo ? 'localhost' : helo_hostname || undefined,
    tls: { servername, rejectUnauthorized: !takesAny, ca: ca === '' ? undefined : ca },
    connectionTimeout: config.timeout_seconds * 1000,
    greetingTimeout: config.timeout_seconds * 1000,
    socketTimeout: config.timeout_seconds * 1000,
    maxResponseSize: MAX_ANSWER,
    allowInternalNetworkInterfaces: true,
  }
}

/** A step of the conversation, which ends with an error that the connection has meanwhile, and with the time that there is. */
function inTime(connection: Connection, signal: AbortSignal, step: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error('the server did not respond in time'))
    connection.on('error', reject)
    connection.on('end', () => reject(new Error('the server closed the connection')))
    if (signal.aborted) return late()
    signal.addEventListener('abort', late, { once: true })
    step((error) => (error ? reject(error) : resolve()))
  })
}

/** Addresses of any domain where none is named, and names without one too. */
function isInDomain(allowed: string, name: string): boolean {
  const domains = allowed
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
  if (domains.length === 0) return true
  const at = name.lastIndexOf('@')
  return at > 0 && domains.includes(name.slice(at + 1).toLowerCase())
}

function presentPerson(name: string): FoundPerson {
  const local = name.replace(/@[^@]*$/, '').toLowerCase()
  return { loginName: name, name: local, email: name.includes('@') ? name : '' }
}
