export { startSweepingPictures } from './files.ts'
export { avatars } from './routes.ts'
export { pictures } from './serve-pictures.ts'
