export { comments } from './routes.ts'
export { Comment } from './schema.ts'
export { presentComment, presentComments } from './view.ts'
