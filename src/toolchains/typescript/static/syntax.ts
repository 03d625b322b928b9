// Parses the code of a module in memory: nothing but the given texts can be read through it, and names are resolved.
import ts from "typescript6";
import type { Files, Place } from "../../port.ts";

export interface Syntax {
  /** Every file that was asked for and is there, also those that do not parse. */
  files: readonly CodeFile[];
  /** Files that do not parse, or are not there. */
  problems: readonly Place[];
  /** Whether an identifier means what the language or the system gives, not something the module declares itself. */
  isGlobal(name: ts.Identifier): boolean;
  /** What declares the thing an identifier means. */
  declarationsOf(name: ts.Identifier): readonly ts.Declaration[];
}

export interface CodeFile {
  path: string;
  text: string;
  tree: ts.SourceFile;
}

const ROOT = "/";

export function parseCode(files: Files, paths: readonly string[]): Syntax {
  const program = ts.createProgram({ rootNames: paths.map(rooted), options: OPTIONS, host: hostOf(files) });
  const checker = program.getTypeChecker();
  const found = paths.flatMap((path): CodeFile[] => {
    const tree = program.getSourceFile(rooted(path));
    const text = files[path];
    return tree === undefined || text === undefined ? [] : [{ path, text, tree }];
  });
  const declarationsOf = (name: ts.Identifier): readonly ts.Declaration[] =>
    symbolOf(checker, name)?.declarations ?? [];
  return {
    files: found,
    problems: [
      ...paths.filter((path) => !found.some((file) => file.path === path)).map(missing),
      ...found.flatMap((file) => program.getSyntacticDiagnostics(file.tree).map(problemOf(file))),
    ],
    // A `declare` says that somebody else gives it, so it hides nothing.
    isGlobal: (name) => declarationsOf(name).every(isAmbient),
    declarationsOf,
  };
}

export function lineOf(node: ts.Node): number {
  const tree = node.getSourceFile();
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
}

/** The node and everything below it, in the order of the text; without recursion, since depth is the author's choice. */
export function* everyNode(root: ts.Node): Generator<ts.Node> {
  const waiting: ts.Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    const children: ts.Node[] = [];
    ts.forEachChild(node, (child) => void children.push(child));
    for (let child = children.pop(); child !== undefined; child = children.pop()) waiting.push(child);
  }
}

const OPTIONS: ts.CompilerOptions = {
  noLib: true,
  noResolve: true,
  allowJs: true,
  types: [],
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  jsx: ts.JsxEmit.Preserve,
};

function hostOf(files: Files): ts.CompilerHost {
  const textOf = (name: string): string | undefined =>
    Object.hasOwn(files, name.slice(ROOT.length)) ? files[name.slice(ROOT.length)] : undefined;
  return {
    getSourceFile: (name, options) => {
      const text = textOf(name);
      return text === undefined ? undefined : ts.createSourceFile(name, text, options, true);
    },
    fileExists: (name) => textOf(name) !== undefined,
    readFile: textOf,
    directoryExists: () => false,
    getDirectories: () => [],
    getDefaultLibFileName: () => "none",
    writeFile: () => undefined,
    getCurrentDirectory: () => ROOT,
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
  };
}

function rooted(path: string): string {
  return `${ROOT}${path}`;
}

function symbolOf(checker: ts.TypeChecker, name: ts.Identifier): ts.Symbol | undefined {
  const { parent } = name;
  if (ts.isShorthandPropertyAssignment(parent) && parent.name === name)
    return checker.getShorthandAssignmentValueSymbol(parent);
  if (ts.isExportSpecifier(parent)) return checker.getExportSpecifierLocalTargetSymbol(parent);
  return checker.getSymbolAtLocation(name);
}

function isAmbient(declaration: ts.Declaration): boolean {
  if (ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration)) return true;
  for (let node: ts.Node | undefined = declaration; node !== undefined; node = node.parent) {
    if (ts.isSourceFile(node)) return node.isDeclarationFile;
    const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined;
    if (modifiers?.some((each) => each.kind === ts.SyntaxKind.DeclareKeyword) === true) return true;
  }
  return false;
}

function missing(path: string): Place {
  return { file: path, line: 1, message: "the file is not there or cannot be parsed as code" };
}

function problemOf({ path, tree }: CodeFile): (problem: ts.DiagnosticWithLocation) => Place {
  return ({ start, messageText }) => ({
    file: path,
    line: tree.getLineAndCharacterOfPosition(Math.min(start, tree.end)).line + 1,
    message: ts.flattenDiagnosticMessageText(messageText, " "),
  });
}
