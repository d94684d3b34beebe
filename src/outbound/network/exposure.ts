import { type HostList, kindOfHost, parseHostList } from './address-policy.ts'

/**
 * Whether others than the people at this machine send requests to the server: it listens on more than loopback, or, behind a
 * reverse proxy, has a ROOT_URL that leads elsewhere.
 */
export function isReachedFromElsewhere({ HTTP_ADDR, ROOT_URL }: { HTTP_ADDR: string; ROOT_URL: string }): boolean {
  const root = ROOT_URL === '' ? HTTP_ADDR : URL.parse(ROOT_URL)?.hostname
  return [HTTP_ADDR, root].some((host) => host === undefined || kindOfHost(host) !== 'loopback')
}

/**
 * Returns the hosts that a target may have which a user sets, such as the URL of a webhook; DESIGN.md, decision 13.
 * @param listed the setting; empty: external and private hosts, and loopback for site administrators or if only this machine reaches the server
 */
export function allowedTargets(listed: readonly string[], server: Parameters<typeof isReachedFromElsewhere>[0], isSetByAdmin: boolean): HostList {
  if (listed.length > 0) return parseHostList(listed)
  const mayReachItself = isSetByAdmin || !isReachedFromElsewhere(server)
  return parseHostList(mayReachItself ? ['external', 'private', 'loopback'] : ['external', 'private'])
}
