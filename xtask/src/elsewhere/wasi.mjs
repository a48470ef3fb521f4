// Runs a program for WASI under Node.js: `node wasi.mjs PROGRAM ARGUMENTS...`. It sees the files of this
// computer, its variables, and the folder that this was started in.
import { readFile, readdir } from 'node:fs/promises';
import { WASI } from 'node:wasi';
import { argv, cwd, env } from 'node:process';

// Node's WASI finds nothing below a root that is given as a whole.
const folders = (await readdir('/', { withFileTypes: true })).filter(entry => entry.isDirectory());
const preopens = { '.': cwd(), ...Object.fromEntries(folders.map(({ name }) => [`/${name}`, `/${name}`])) };
const wasi = new WASI({ version: 'preview1', args: argv.slice(2), env, preopens, returnOnExit: false });
const program = await WebAssembly.compile(await readFile(argv[2]));
wasi.start(await WebAssembly.instantiate(program, wasi.getImportObject()));
