export { type HostList, isAllowedAddress, isAllowedHost, kindOfHost, parseHostList } from './address-policy.ts'
export { isReachedFromElsewhere } from './exposure.ts'
