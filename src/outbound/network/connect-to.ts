import type { Socket } from 'node:net'
import { Problem } from '#kernel/errors.ts'
import { isAllowedAddress, parseHostList } from './address-policy.ts'
import { Unreachable } from './guarded-client.ts'
import type { NetworkConfig } from './settings.ts'

/** More addresses of one name are not tried. */
const MAX_ADDRESSES = 4

/**
 * A connection to where a site administrator said: to anything but special ranges. The name is resolved here, and the connection goes to an address that
 * was judged.
 * @throws Unreachable when none of the host's addresses takes it, or not before the signal; Problem 503 while the server is to stay offline
 */
export async function connectTo({ network }: NetworkConfig, host: string, port: number, signal: AbortSignal): Promise<Socket> {
  if (network.OFFLINE) throw new Problem(503, 'Outbound connections are disabled on this server (network.OFFLINE).')
  const addresses = (await lookUp(host.replace(/^\[|\]$/g, ''), signal)).filter((address) => isAllowedAddress(address, everything()))
  if (addresses.length === 0) throw new Unreachable(`"${host}" has no IP address that the server is allowed to connect to`)
  return connectFirst(host, port, addresses.slice(0, MAX_ADDRESSES), signal)
}

const everything = () => parseHostList(['*'])

async function lookUp(host: string, signal: AbortSignal): Promise<string[]> {
  const { lookup } = process.getBuiltinModule('node:dns/promises')
  const late = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
  try {
    const found = await Promise.race([lookup(host, { all: true }), late])
    return found.map(({ address }) => address)
  } catch (cause) {
    throw new Unreachable(`Cannot resolve the host name "${host}"`, cause)
  }
}

async function connectFirst(host: string, port: number, [address, ...others]: string[], signal: AbortSignal): Promise<Socket> {
  // A start loads this file, and neither of these.
  const [{ connect }, { once }] = [process.getBuiltinModule('node:net'), process.getBuiltinModule('node:events')]
  const socket = connect({ host: address, port })
  try {
    await once(socket, 'connect', { signal })
    return socket
  } catch (cause) {
    socket.on('error', () => {})
    socket.destroy()
    if (others.length > 0 && !signal.aborted) return connectFirst(host, port, others, signal)
    throw new Unreachable(`Cannot connect to "${host}" port ${port}`, cause)
  }
}
