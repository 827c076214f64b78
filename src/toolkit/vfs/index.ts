export { fileEvent, type GivenFiles, hashOfGiven, partByDate, rebuildVfs } from './dated.ts';
export { exportFolder, importFolder } from './folder.ts';
export {
  characterCount,
  contentFault,
  noSuchFile,
  pathFault,
  sliceCharacters,
  VFS_LIMITS,
  Vfs,
  type VfsChange,
  type VfsFile,
  type VfsSnapshot,
  WRITE_MODES,
  type WriteMode,
} from './vfs.ts';
