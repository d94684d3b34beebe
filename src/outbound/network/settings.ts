import { flag, type SettingList, type ValuesOf } from '#kernel/settings.ts'

/** What the server itself may reach. */
export const networkSettings = {
  network: {
    OFFLINE: flag(false, 'Refuse every outbound connection: no mail leaves, and nobody signs in elsewhere.'),
  },
} as const satisfies SettingList

export type NetworkConfig = ValuesOf<typeof networkSettings>
