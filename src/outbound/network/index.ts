export { type HostList, isAllowedAddress, isAllowedHost, kindOfHost, parseHostList } from './address-policy.ts'
export { isReachedFromElsewhere } from './exposure.ts'
export { hostList } from './host-list-setting.ts'
export type { NetworkConfig } from './settings.ts'
