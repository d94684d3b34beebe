import { flag, type SettingList, whole } from '#kernel/settings.ts'

/** Who may come in, and how much of an answer they get at once. */
export const accessSettings = {
  security: {
    DISABLE_QUERY_AUTH_TOKEN: flag(false, 'Refuse tokens in the query string (?token=, ?access_token=).'),
    MIN_PASSWORD_LENGTH: whole(8, 'Shortest password accepted.', 1, 1024),
  },
  service: {
    REQUIRE_SIGNIN_VIEW: flag(false, 'Answer nothing to visitors who are not signed in.'),
  },
  api: {
    MAX_RESPONSE_ITEMS: whole(50, 'Largest page of a list.', 1, 10_000),
    DEFAULT_PAGING_NUM: whole(30, 'Page size when the request does not say.', 1, 10_000),
    MAX_BODY_SIZE: whole(33_554_432, 'Largest JSON body accepted, in bytes.', 1024),
    MAX_ANONYMOUS_BODY_SIZE: whole(1_048_576, 'Largest JSON body accepted without credentials, in bytes.', 1024),
  },
} as const satisfies SettingList
