import type { SettingList } from '#kernel/settings.ts'
import { hostList } from '#outbound/network/index.ts'

const HOOK_HOSTS_DOC =
  'What webhooks may reach: external, private, loopback, * for all three, networks (10.0.0.0/8), globs over hosts (*.example.org); never cloud metadata and other special ranges. Empty: external and private, and loopback where only this machine reaches the server or a site administrator set the target.'

/** What happens by itself. */
export const automationSettings = {
  webhook: {
    ALLOWED_HOST_LIST: hostList(HOOK_HOSTS_DOC),
  },
} as const satisfies SettingList
