import { BlockList, isIP } from 'node:net'
import { Unauthorized } from '#kernel/errors.ts'
import { isSignedBySsh, readSshKey, type SshKey } from '#kernel/ssh-key.ts'
import { WireReader } from '#kernel/ssh-wire.ts'

/** A certificate of OpenSSH's. Source: its PROTOCOL.certkeys. */
export interface SshCertificate {
  /** Whom it is for. */
  key: SshKey
  /** 1: people, 2: machines. */
  type: number
  principals: readonly string[]
  /** Seconds since the epoch. */
  validAfter: bigint
  validBefore: bigint
  /** What whoever takes it must keep to, with its data. */
  criticalOptions: ReadonlyMap<string, Buffer>
  /** Whose signature it bears, in wire form. */
  authority: Buffer
}

const USER = 1
const MAX_SIZE = 16_384
const MIN_RSA_BYTES = 256

interface Terms {
  /** Keys of those who may make certificates, in wire form. */
  authorities: readonly Buffer[]
  /** Seconds since the epoch. */
  now: number
  /** Whom the request came from. */
  address: string
}

/**
 * A certificate that lets people in here and now.
 * @param header base64 of its wire form
 * @throws Unauthorized when it is none, is not by one of the authorities, is for machines, is not valid now, or has terms that are not met
 */
export function getCertificate(header: string, { authorities, now, address }: Terms): SshCertificate {
  if (header.length > MAX_SIZE || !/^[A-Za-z0-9+/]+={0,2}$/.test(header)) throw refused('it is not an OpenSSH certificate')
  const found = parseCertificate(Buffer.from(header, 'base64'), authorities)
  if (!found) throw refused('it is not an OpenSSH certificate, or not signed by a trusted certificate authority')
  if (found.type !== USER) throw refused('it is not a user certificate')
  if (BigInt(now) < found.validAfter || BigInt(now) >= found.validBefore) throw refused('it has expired or is not valid yet')
  for (const [name, data] of found.criticalOptions) {
    if (name !== 'source-address') throw refused(`the critical option ${name.slice(0, 50)} is not supported`)
    if (!isFrom(address, new WireReader(data).text() ?? '')) throw refused('it is not valid for this client address')
  }
  return found
}

/** What it says, if one of the authorities signed it. */
function parseCertificate(blob: Buffer, authorities: readonly Buffer[]): SshCertificate | undefined {
  const reader = new WireReader(blob)
  const type = /^(.+)-cert-v01@openssh\.com$/.exec(reader.text() ?? '')?.[1]
  reader.string()
  const key = readSshKey(reader, type)
  if (!key || key.application || (key.kind === 'rsa' && key.size < MIN_RSA_BYTES)) return undefined
  reader.uint64()
  const kind = reader.uint32()
  reader.string()
  const principals = stringsIn(reader.string())?.map(String)
  const [validAfter, validBefore] = [reader.uint64(), reader.uint64()]
  const criticalOptions = optionsIn(reader.string())
  reader.string()
  reader.string()
  const authority = reader.string()
  const signed = reader.past
  const signature = reader.string()
  if (kind === undefined || !principals || validAfter === undefined || validBefore === undefined || !criticalOptions) return undefined
  if (!authority || !signature || !reader.atEnd) return undefined
  if (!authorities.some((one) => one.equals(authority)) || !isSignedBySsh(authority, signature, signed)) return undefined
  return { key, type: kind, principals, validAfter, validBefore, criticalOptions, authority }
}

/** The strings that the bytes consist of. */
function stringsIn(bytes: Buffer | undefined): Buffer[] | undefined {
  const reader = new WireReader(bytes ?? Buffer.alloc(0))
  const strings: Buffer[] = []
  while (!reader.atEnd) {
    const next = reader.string()
    if (!next) return undefined
    strings.push(next)
  }
  return bytes && strings
}

/** Names and data by turns. */
function optionsIn(bytes: Buffer | undefined): Map<string, Buffer> | undefined {
  const strings = stringsIn(bytes)
  if (!strings || strings.length % 2 === 1) return undefined
  return new Map(strings.flatMap((name, at) => (at % 2 === 0 ? [[name.toString(), strings[at + 1] as Buffer]] : [])))
}

/** @param list addresses and networks, by commas; one that is neither lets nobody in */
function isFrom(address: string, list: string): boolean {
  const allowed = new BlockList()
  for (const item of list.split(',')) {
    const [network = '', bits] = item.split('/')
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4'
    const most = family === 'ipv6' ? 128 : 32
    if (isIP(network) === 0 || (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > most))) return false
    allowed.addSubnet(network, bits === undefined ? most : Number(bits), family)
  }
  return allowed.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

function refused(reason: string): Unauthorized {
  return new Unauthorized(`Cannot use the SSH certificate: ${reason}`)
}
