import { flag, list, oneOf, type SettingList, whole } from '#kernel/settings.ts'

/** Accounts and their pictures. */
export const peopleSettings = {
  security: {
    RESERVED_USERNAMES: list([], 'Names nobody can register, besides those the routes need.'),
  },
  service: {
    DEFAULT_USER_VISIBILITY: oneOf(['public', 'limited', 'private'], 'public', 'Visibility of a new user.'),
    DEFAULT_ALLOW_CREATE_ORGANIZATION: flag(true, 'Whether new users may create organizations.'),
  },
  picture: {
    AVATAR_MAX_FILE_SIZE: whole(1_048_576, 'Largest avatar, in bytes.', 1, 16_777_216),
    AVATAR_MAX_WIDTH: whole(4096, 'Widest avatar, in pixels.', 1, 16_383),
    AVATAR_MAX_HEIGHT: whole(4096, 'Highest avatar, in pixels.', 1, 16_383),
  },
} as const satisfies SettingList
