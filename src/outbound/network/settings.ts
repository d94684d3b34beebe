import { flag, type SettingList, type ValuesOf } from '#kernel/settings.ts'

/** What the server itself may reach. */
export const networkSettings = {
  network: {
    OFFLINE: flag(false, 'Block all outbound connections: no mail, no webhooks, no sign-in with external authentication sources.'),
  },
} as const satisfies SettingList

export type NetworkConfig = ValuesOf<typeof networkSettings>
