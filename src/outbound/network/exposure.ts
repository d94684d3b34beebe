import { kindOfHost } from './address-policy.ts'

/**
 * Whether others than the people at this machine send requests to the server: it listens on more than loopback, or, behind a
 * reverse proxy, has a ROOT_URL that leads elsewhere.
 */
export function isReachedFromElsewhere({ HTTP_ADDR, ROOT_URL }: { HTTP_ADDR: string; ROOT_URL: string }): boolean {
  const root = ROOT_URL === '' ? HTTP_ADDR : URL.parse(ROOT_URL)?.hostname
  return [HTTP_ADDR, root].some((host) => host === undefined || kindOfHost(host) !== 'loopback')
}
