import { flag, type SettingList } from '#kernel/settings.ts'

/** The ways in. */
export const doorsSettings = {
  repository: {
    DISABLE_HTTP_GIT: flag(false, 'Disable git access over HTTP.'),
  },
  api: {
    ENABLE_SWAGGER: flag(true, 'Serve the API documentation at /api/swagger and /swagger.v1.json.'),
  },
} as const satisfies SettingList
