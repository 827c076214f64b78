export { type GivenFiles, hashOfGiven, partByDate } from './dated.ts';
export { exportFolder, importFolder } from './folder.ts';
export { characterCount, pathFault, sliceCharacters, VFS_LIMITS } from './limits.ts';
export { fileEvent, rebuildVfs } from './rebuild.ts';
export {
  contentFault,
  noSuchFile,
  Vfs,
  type VfsChange,
  type VfsFile,
  type VfsSnapshot,
  WRITE_MODES,
  type WriteMode,
} from './vfs.ts';
