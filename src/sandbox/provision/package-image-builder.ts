/**
 * Python source that builds an image. It runs in Pyodide, so that the compiled byte code fits the Python that
 * loads the image.
 *
 * An image consists of one data file, which contains all compiled modules and data files, and an index of
 * their positions. The Python source is a string here, because the npm package contains only compiled
 * TypeScript of this folder.
 */
export const IMAGE_BUILDER = `
import json, marshal, zipfile

EXTENSION_SUFFIX = '.so'
# Never read at run time: type stubs, C and Cython sources, build files, documentation.
DROPPED_SUFFIXES = ('.pyi', '.h', '.c', '.a', '.pxd', '.pxi', '.pyx', '.tpl', '.in', '.rst', '.md', '.build', '.pc',
                    '.typed', '.template', '.exe', '.pyc')
DROPPED_FOLDERS = {'tests', 'test', 'docs', 'doc', 'examples', '__pycache__'}
# importlib.metadata reads these two; the rest of a .dist-info folder is for installers.
KEPT_METADATA = {'METADATA', 'entry_points.txt'}
# What a trading desk never imports of the standard library, and what only an installer does.
DROPPED_STDLIB = {'test', 'idlelib', 'tkinter', 'turtledemo', 'turtle', 'lib2to3', 'ensurepip', 'pydoc_data',
                  '_pyrepl', 'venv', '__phello__', 'antigravity', 'this', 'site-packages'}
# Imported before the finder below exists, so these must come from the ZIP.
ZIPPED_STDLIB = {'encodings/__init__.py', 'encodings/aliases.py', 'encodings/utf_8.py', 'encodings/ascii.py',
                 'encodings/latin_1.py'}


def compiled(source, path):
    return marshal.dumps(compile(source, path, 'exec', dont_inherit=True, optimize=0))


def pyc(source, path):
    from importlib.util import MAGIC_NUMBER
    unchecked_hash = b'\\x01\\0\\0\\0' + b'\\0' * 8
    return MAGIC_NUMBER + unchecked_hash + compiled(source, path)


def wanted(name):
    parts = name.split('/')
    if name.endswith('/') or not DROPPED_FOLDERS.isdisjoint(parts[:-1]) or name.endswith(DROPPED_SUFFIXES):
        return False
    if parts[0].endswith('.dist-info'):
        return parts[-1] in KEPT_METADATA
    return not parts[0].endswith('.data') or len(parts) > 2


def module_name(path):
    parts = path.split('/')
    last = parts.pop()
    stem = last.split('.')[0]
    is_package = stem == '__init__'
    return '.'.join(parts if is_package else parts + [stem]), is_package


def counted(items):
    for done, item in enumerate(items):
        if done % 20 == 0:
            on_progress(done, len(items))
        yield item
    on_progress(len(items), len(items))


class ImageWriter:
    """Writes one image: 'modules' maps a name to (offset, length, is_package) or to the path of an extension."""

    def __init__(self, data_path, root):
        self.data = open(data_path, 'wb')
        self.root = root
        self.offset = 0
        self.files = []
        self.modules = {}

    def append(self, content):
        start = self.offset
        self.data.write(content)
        self.offset += len(content)
        return start, len(content)

    def add(self, path, content):
        if path.endswith('.py'):
            name, is_package = module_name(path)
            self.modules[name] = (*self.append(compiled(content, f'{self.root}/{path}')), is_package)
            return
        # WebAssembly and time-zone files are read where they lie: aligned, they need no copy.
        self.append(b'\\0' * (-self.offset % 16))
        self.files.append([path, *self.append(content)])
        if path.endswith(EXTENSION_SUFFIX):
            self.modules[module_name(path)[0]] = f'{self.root}/{path}'

    def close(self, index_path):
        for name in list(self.modules):
            while '.' in name:
                name = name.rpartition('.')[0]
                self.modules.setdefault(name, (0, 0, True))
        table = self.append(marshal.dumps((self.root, self.modules)))
        self.data.close()
        with open(index_path, 'w') as index:
            json.dump({'root': self.root, 'files': self.files, 'table': table}, index)


def build_stdlib(source_zip, target_zip, data_path, index_path, finder_source):
    image = ImageWriter(data_path, '/lib/python3.13')
    with zipfile.ZipFile(source_zip) as source, zipfile.ZipFile(target_zip, 'w', zipfile.ZIP_STORED) as target:
        target.writestr(zipfile.ZipInfo('sitecustomize.pyc'), pyc(finder_source, '/lib/sitecustomize.py'))
        names = [name for name in sorted(source.namelist())
                 if wanted(name) and name.split('/')[0].removesuffix('.py') not in DROPPED_STDLIB]
        for name in counted(names):
            content = source.read(name)
            if name in ZIPPED_STDLIB:
                target.writestr(zipfile.ZipInfo(name + 'c'), pyc(content, '/lib/python3.13/' + name))
            image.add(name, content)
    image.close(index_path)


def build_packages(wheel_paths, folder, names, data_path, index_path):
    """Wheels, then the files of a folder, whose modules win over a wheel's of the same name."""
    image = ImageWriter(data_path, '/lib/python3.13/site-packages')
    wheels = [zipfile.ZipFile(path) for path in wheel_paths]
    contents = [(name, wheel) for wheel in wheels for name in sorted(wheel.namelist()) if wanted(name)]
    for name, wheel in counted(contents + [(name, None) for name in names]):
        if wheel is not None:
            image.add(name, wheel.read(name))
            continue
        with open(f'{folder}/{name}', 'rb') as file:
            image.add(name, file.read())
    image.close(index_path)
`;

/**
 * Python source of the module `sitecustomize`, which Python imports at its start. Installs an import finder
 * that finds a module of an image by one dictionary look-up and loads it by one read.
 *
 * Python's own finder reads folders at each import. In WebAssembly this takes longer than the import itself.
 */
export const IMAGE_FINDER = `
import sys, posix, marshal
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import ExtensionFileLoader


class ImageFinder:
    def __init__(self, data_path, table_path):
        with open(table_path, 'rb') as file:
            self._root, self._modules = marshal.loads(file.read())
        self._data = posix.open(data_path, posix.O_RDONLY)

    def find_spec(self, name, path=None, target=None):
        entry = self._modules.get(name)
        if entry is None:
            return None
        if type(entry) is str:
            spec = ModuleSpec(name, ExtensionFileLoader(name, entry), origin=entry)
            spec.has_location = True
            return spec
        filename = self.get_filename(name)
        spec = ModuleSpec(name, self, origin=filename, is_package=entry[2])
        if entry[2]:
            spec.submodule_search_locations.append(filename.rpartition('/')[0])
        spec.has_location = True
        return spec

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        offset, length, _ = self._modules[module.__name__]
        if length:
            exec(marshal.loads(posix.pread(self._data, length, offset)), module.__dict__)

    def get_code(self, name):
        offset, length, _ = self._modules[name]
        return marshal.loads(posix.pread(self._data, length, offset)) if length else compile('', name, 'exec')

    def get_filename(self, name):
        ending = '/__init__.py' if self._modules[name][2] else '.py'
        return self._root + '/' + name.replace('.', '/') + ending

    def is_package(self, name):
        return self._modules[name][2]

    def get_source(self, name):
        return None

    def get_data(self, path):
        with open(path, 'rb') as file:
            return file.read()

    def get_resource_reader(self, name):
        from importlib.readers import FileReader
        from types import SimpleNamespace
        return FileReader(SimpleNamespace(path=self.get_filename(name)))

    def invalidate_caches(self):
        pass


_position = 0
for _name in sorted(posix.listdir('/lib/image')):
    if _name.endswith('.bin'):
        # After the built-in and frozen importers, before the file system.
        sys.meta_path.insert(2 + _position, ImageFinder('/lib/image/' + _name, '/lib/image/' + _name[:-4] + '.table'))
        _position += 1
`;
