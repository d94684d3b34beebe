import { type OutboundAnswer, Unreachable } from './guarded-client.ts'

/** @throws Unreachable when it is no JSON object */
export function objectIn({ bytes, status }: OutboundAnswer, what: string): Record<string, unknown> {
  if (status !== 200) throw new Unreachable(`The ${what} returned status ${status}`)
  const found = parseJson(bytes, what)
  if (typeof found !== 'object' || found === null || Array.isArray(found)) throw new Unreachable(`The ${what} is not a JSON object`)
  return found as Record<string, unknown>
}

/** @throws Unreachable when it is no JSON */
export function parseJson(bytes: Uint8Array, what: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new Unreachable(`The ${what} is not JSON`, cause)
  }
}

/** An address of http or https that people are sent to. @throws Unreachable */
export function webAddress(text: unknown, what: string): URL {
  const url = typeof text === 'string' ? URL.parse(text) : null
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') throw new Unreachable(`The ${what} is not an http or https URL`)
  return url
}
