import { flag, oneOf, type SettingList, seconds, secret, text, whole } from '#kernel/settings.ts'

/** Files that are kept by their digest. */
export const blobSettings = {
  storage: {
    STORAGE_TYPE: oneOf(
      ['local', 'minio'],
      'local',
      "Where files beside releases, issues and comments are kept: in the data directory, or in a bucket of S3's kind.",
    ),
    MINIO_ENDPOINT: text('localhost:9000', 'Host and port of the bucket.'),
    MINIO_ACCESS_KEY_ID: text('', 'Whom to sign in to it as.'),
    MINIO_SECRET_ACCESS_KEY: secret('The key for that.'),
    MINIO_BUCKET: text('gitea', 'The bucket, which must be there.'),
    MINIO_LOCATION: text('us-east-1', 'Its region.'),
    MINIO_USE_SSL: flag(false, 'Reach it by HTTPS.'),
    MINIO_BASE_PATH: text('', 'What the names of all files in the bucket begin with.'),
    MINIO_BUCKET_LOOKUP_TYPE: oneOf(['auto', 'dns', 'path'], 'auto', 'Whether the bucket is named in the host (dns) or in the path.'),
    MINIO_TIMEOUT_SECONDS: seconds(60, 'How long the bucket may take for a step.', 1, 3600),
    BLOB_GRACE_HOURS: whole(24, 'How long a file that nothing names any more is kept.', 0),
  },
} as const satisfies SettingList
