import { flag, type SettingList } from '#kernel/settings.ts'

/** The ways in. */
export const doorsSettings = {
  repository: {
    DISABLE_HTTP_GIT: flag(false, 'No git over HTTP.'),
  },
  api: {
    ENABLE_SWAGGER: flag(true, 'Serve /api/swagger and /swagger.v1.json.'),
  },
} as const satisfies SettingList
