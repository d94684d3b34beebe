import type { SettingList } from '#kernel/settings.ts'
import { hostList } from '#outbound/network/index.ts'

const HOOK_HOSTS_DOC =
  'Hosts that webhooks can send requests to: external, private, loopback, * for all three, networks (10.0.0.0/8) or host name patterns (*.example.org). Cloud metadata addresses and other special ranges are always blocked. Empty: external and private; also loopback if the server listens only on loopback or a site administrator set the target URL.'

/** What happens by itself. */
export const automationSettings = {
  webhook: {
    ALLOWED_HOST_LIST: hostList(HOOK_HOSTS_DOC),
  },
} as const satisfies SettingList
