import { flag, oneOf, type SettingList, seconds, secret, text, whole } from '#kernel/settings.ts'

/** Files that are kept by their digest. */
export const blobSettings = {
  storage: {
    STORAGE_TYPE: oneOf(['local', 'minio'], 'local', 'Storage of attachments: in the data directory (local) or in an S3-compatible bucket (minio).'),
    MINIO_ENDPOINT: text('localhost:9000', 'Host and port of the S3 endpoint.'),
    MINIO_ACCESS_KEY_ID: text('', 'Access key ID for the S3 endpoint.'),
    MINIO_SECRET_ACCESS_KEY: secret('Secret access key for the S3 endpoint.'),
    MINIO_BUCKET: text('gitea', 'Name of the bucket. It must exist.'),
    MINIO_LOCATION: text('us-east-1', 'Region of the bucket.'),
    MINIO_USE_SSL: flag(false, 'Connect to the S3 endpoint over HTTPS.'),
    MINIO_BASE_PATH: text('', 'Prefix of the keys of all objects in the bucket.'),
    MINIO_BUCKET_LOOKUP_TYPE: oneOf(
      ['auto', 'dns', 'path'],
      'auto',
      'How requests address the bucket: in the host name (dns), in the path (path), or depending on the endpoint (auto).',
    ),
    MINIO_TIMEOUT_SECONDS: seconds(60, 'Seconds without progress after which a request to the S3 endpoint fails.', 1, 3600),
    BLOB_GRACE_HOURS: whole(24, 'Hours to keep an attachment file after the last reference to it is deleted.', 0),
  },
} as const satisfies SettingList
