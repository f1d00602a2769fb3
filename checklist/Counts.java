import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExportsTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.ToolProvider;

/**
 * Counts what the sources below {@code src/main/java} of each module are made of. A class is used by another one if its
 * name stands in that one's code; imports and comments do not count. Nested classes belong to the file they are in. A
 * public class of a package that the module exports to everybody has users elsewhere, and is no single user's.
 *
 * <p>{@code java checklist/Counts.java ROOT [--list] [MODULE...]}; with {@code --list}, the names behind the numbers.
 */
class Counts {
    private static final int PARAMETERS_MAX = 7;
    private static final int WIDE_RECORD = 5;

    public static void main(String[] args) throws IOException {
        Path root = Path.of(args[0]).toRealPath();
        List<String> chosen = new ArrayList<>(List.of(args).subList(1, args.length));
        boolean list = chosen.remove("--list");
        List<Module> modules = new ArrayList<>();
        try (Stream<Path> folders = Files.list(root).sorted()) {
            for (Path folder : folders.toList()) {
                if (Files.isDirectory(folder.resolve("src/main/java"))) {
                    modules.add(new Module(folder));
                }
            }
        }
        Map<String, SourceClass> classes = new TreeMap<>();
        modules.forEach(module -> module.classes.forEach(one -> classes.put(one.name(), one)));
        modules.forEach(module -> module.classes.forEach(one -> one.findUsed(classes)));
        System.out.printf(
                "%-14s %7s %8s %7s %12s %8s %13s %12s %7s%n",
                "module", "lines", "classes", "nested", "single users", "of them", "constructors", "records of", "cycles");
        System.out.printf(
                "%-14s %7s %8s %7s %12s %8s %13s %12s %7s%n",
                "", "of code", "", "", "", "in %", "above " + PARAMETERS_MAX, WIDE_RECORD + " or more", "");
        for (Module module : modules) {
            if (chosen.isEmpty() || chosen.contains(module.name)) {
                module.print(list);
            }
        }
    }

    private static final class Module {
        final String name;
        final List<SourceClass> classes = new ArrayList<>();
        private final Set<String> published = new HashSet<>();
        int lines;

        Module(Path folder) throws IOException {
            name = folder.getFileName().toString();
            List<Path> files;
            try (Stream<Path> found = Files.walk(folder.resolve("src/main/java"))) {
                files = found.filter(file -> file.toString().endsWith(".java"))
                        .sorted()
                        .toList();
            }
            var compiler = ToolProvider.getSystemJavaCompiler();
            var manager = compiler.getStandardFileManager(null, null, null);
            var task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
            for (CompilationUnitTree unit : task.parse()) {
                if (unit.getModule() != null) {
                    unit.getModule().getDirectives().forEach(this::addIfPublished);
                }
                lines += linesOfCode(unit.getSourceFile().getCharContent(true).toString());
                for (Tree declared : unit.getTypeDecls()) {
                    if (declared instanceof ClassTree tree) {
                        classes.add(new SourceClass(unit, tree));
                    }
                }
            }
        }

        private void addIfPublished(Tree directive) {
            if (directive instanceof ExportsTree exported && exported.getModuleNames() == null) {
                published.add(exported.getPackageName().toString());
            }
        }

        /** Whether others than this project use it. */
        private boolean isPublished(SourceClass one) {
            return one.isPublic && published.contains(one.packageName);
        }

        void print(boolean list) {
            Map<String, Set<String>> users = new HashMap<>();
            for (SourceClass one : classes) {
                one.used.forEach(used -> users.computeIfAbsent(used, key -> new TreeSet<>()).add(one.name()));
            }
            List<String> singles = new ArrayList<>();
            List<String> constructors = new ArrayList<>();
            List<String> records = new ArrayList<>();
            int nested = 0;
            for (SourceClass one : classes) {
                Set<String> its = users.getOrDefault(one.name(), Set.of());
                if (its.size() == 1 && !isPublished(one)) {
                    singles.add(one.name() + " <- " + its.iterator().next());
                }
                nested += one.nested;
                constructors.addAll(one.longConstructors);
                records.addAll(one.wideRecords);
            }
            List<Set<String>> cycles = cycles();
            System.out.printf(
                    "%-14s %,7d %8d %7d %12d %8d %13d %12d %7d%n",
                    name,
                    lines,
                    classes.size(),
                    nested,
                    singles.size(),
                    Math.round(100.0 * singles.size() / Math.max(1, classes.size())),
                    constructors.size(),
                    records.size(),
                    cycles.size());
            if (list) {
                singles.forEach(line -> System.out.println("  single user: " + line));
                constructors.forEach(line -> System.out.println("  constructor: " + line));
                records.forEach(line -> System.out.println("  record: " + line));
                cycles.forEach(cycle -> System.out.printf(
                        "  cycle of %d packages, closed by nothing but %s: %s%n",
                        cycle.size(), String.join(", ", closedBy(cycle)), String.join(", ", cycle)));
            }
        }

        /** The fewest classes of one package without whose arrows there would be no cycle; its packages, if it takes more. */
        private Set<String> closedBy(Set<String> cycle) {
            Set<String> fewest = cycle;
            for (String from : cycle) {
                Set<String> needed = new TreeSet<>();
                for (SourceClass one : classes) {
                    if (one.packageName.equals(from)) {
                        needed.add(one.name());
                    }
                }
                if (cycles(needed).stream().noneMatch(cycle::containsAll)) {
                    for (String each : List.copyOf(needed)) {
                        needed.remove(each);
                        if (cycles(needed).stream().anyMatch(cycle::containsAll)) {
                            needed.add(each);
                        }
                    }
                    fewest = fewest == cycle || needed.size() < fewest.size() ? needed : fewest;
                }
            }
            return fewest;
        }

        private List<Set<String>> cycles() {
            return cycles(Set.of());
        }

        /** Groups of packages each of which reaches all others of its group, if the arrows of some classes do not count. */
        private List<Set<String>> cycles(Set<String> without) {
            Map<String, String> packages = new HashMap<>();
            classes.forEach(one -> packages.put(one.name(), one.packageName));
            Map<String, Set<String>> arrows = new TreeMap<>();
            for (SourceClass one : classes) {
                Set<String> targets = arrows.computeIfAbsent(one.packageName, key -> new TreeSet<>());
                for (String used : without.contains(one.name()) ? Set.<String>of() : one.used) {
                    String target = packages.get(used);
                    if (target != null && !target.equals(one.packageName)) {
                        targets.add(target);
                    }
                }
            }
            Map<String, Set<String>> reached = new TreeMap<>();
            arrows.keySet().forEach(from -> reached.put(from, reachedFrom(from, arrows)));
            List<Set<String>> groups = new ArrayList<>();
            Set<String> seen = new HashSet<>();
            for (String from : arrows.keySet()) {
                if (reached.get(from).contains(from) && seen.add(from)) {
                    Set<String> group = new TreeSet<>(reached.get(from));
                    group.removeIf(other -> !reached.get(other).contains(from));
                    seen.addAll(group);
                    groups.add(group);
                }
            }
            return groups;
        }

        private static Set<String> reachedFrom(String from, Map<String, Set<String>> arrows) {
            Set<String> reached = new HashSet<>();
            Deque<String> waiting = new ArrayDeque<>(arrows.get(from));
            while (!waiting.isEmpty()) {
                String next = waiting.pop();
                if (reached.add(next)) {
                    waiting.addAll(arrows.get(next));
                }
            }
            return reached;
        }
    }

    private static final class SourceClass {
        final String packageName;
        final String simpleName;
        final boolean isPublic;
        final Set<String> used = new TreeSet<>();
        final List<String> longConstructors = new ArrayList<>();
        final List<String> wideRecords = new ArrayList<>();
        int nested = -1;
        private final Map<String, String> imported = new HashMap<>();
        private final Set<String> importedPackages = new TreeSet<>();
        private final Set<String> words = new HashSet<>();
        private final Set<String> paths = new HashSet<>();

        SourceClass(CompilationUnitTree unit, ClassTree tree) {
            packageName = unit.getPackageName() == null ? "" : unit.getPackageName().toString();
            simpleName = tree.getSimpleName().toString();
            isPublic = tree.getModifiers().getFlags().contains(Modifier.PUBLIC);
            for (var line : unit.getImports()) {
                String path = line.getQualifiedIdentifier().toString();
                String last = path.substring(path.lastIndexOf('.') + 1);
                if (last.equals("*")) {
                    importedPackages.add(path.substring(0, path.length() - 2));
                } else {
                    imported.put(last, path);
                }
            }
            new Reader().scan(tree, null);
        }

        String name() {
            return packageName.isEmpty() ? simpleName : packageName + "." + simpleName;
        }

        void findUsed(Map<String, SourceClass> classes) {
            for (String word : words) {
                if (imported.containsKey(word)) {
                    addClassOf(imported.get(word), classes);
                } else if (!word.equals(simpleName) && !addIfClass(packageName + "." + word, classes)) {
                    importedPackages.forEach(from -> addIfClass(from + "." + word, classes));
                }
            }
            paths.forEach(path -> addIfClass(path, classes));
            used.remove(name());
        }

        /** The class in which an imported member or nested class is. */
        private void addClassOf(String path, Map<String, SourceClass> classes) {
            String name = path;
            while (!addIfClass(name, classes) && name.indexOf('.') > 0) {
                name = name.substring(0, name.lastIndexOf('.'));
            }
        }

        private boolean addIfClass(String name, Map<String, SourceClass> classes) {
            return classes.containsKey(name) && (used.add(name) || true);
        }

        private final class Reader extends TreeScanner<Void, Void> {
            private final Deque<String> around = new ArrayDeque<>();

            @Override
            public Void visitClass(ClassTree tree, Void nothing) {
                boolean anonymous = tree.getSimpleName().isEmpty();
                if (!anonymous) {
                    nested++;
                    around.addLast(tree.getSimpleName().toString());
                }
                if (tree.getKind() == Tree.Kind.RECORD) {
                    countRecord(tree);
                }
                super.visitClass(tree, nothing);
                if (!anonymous) {
                    around.removeLast();
                }
                return null;
            }

            private void countRecord(ClassTree tree) {
                long components = tree.getMembers().stream()
                        .filter(VariableTree.class::isInstance)
                        .map(VariableTree.class::cast)
                        .filter(field -> !field.getModifiers().getFlags().contains(Modifier.STATIC))
                        .count();
                if (components >= WIDE_RECORD) {
                    wideRecords.add(place() + " " + components);
                }
                if (components > PARAMETERS_MAX) {
                    longConstructors.add(place() + " " + components + " (record)");
                }
            }

            @Override
            public Void visitMethod(MethodTree tree, Void nothing) {
                int parameters = tree.getParameters().size();
                if (tree.getReturnType() == null && parameters > PARAMETERS_MAX && !isCanonical(tree)) {
                    longConstructors.add(place() + " " + parameters);
                }
                return super.visitMethod(tree, nothing);
            }

            /** Whether this is the constructor that a record's head has declared: it is counted there. */
            private boolean isCanonical(MethodTree tree) {
                String counted = place() + " " + tree.getParameters().size() + " (record)";
                return longConstructors.contains(counted);
            }

            private String place() {
                return (packageName.isEmpty() ? "" : packageName + ".") + String.join(".", around);
            }

            @Override
            public Void visitIdentifier(IdentifierTree tree, Void nothing) {
                words.add(tree.getName().toString());
                return null;
            }

            @Override
            public Void visitMemberSelect(MemberSelectTree tree, Void nothing) {
                paths.add(tree.toString());
                return super.visitMemberSelect(tree, nothing);
            }
        }
    }

    /** Lines that hold more than comments, blanks, an import, or the name of the package. */
    static int linesOfCode(String source) {
        int lines = 0;
        StringBuilder code = new StringBuilder();
        String end = null; // what ends the comment or the text that the place is in
        for (int at = 0; at < source.length(); at++) {
            char next = source.charAt(at);
            if (next == '\n') {
                lines += isCode(code.toString().strip()) ? 1 : 0;
                code.setLength(0);
                end = "\n".equals(end) ? null : end;
            } else if (end == null) {
                end = opened(source, at);
                if (end == null || end.startsWith("\"") || end.equals("'")) {
                    code.append(next);
                }
                at += end == null || end.length() == 1 && !end.equals("\n") ? 0 : end.equals("\"\"\"") ? 2 : 1;
            } else if (end.equals("*/") || end.equals("\n")) {
                if (source.startsWith(end, at)) {
                    at++;
                    end = null;
                }
            } else {
                code.append(next);
                if (next == '\\') {
                    at++;
                } else if (source.startsWith(end, at)) {
                    at += end.length() - 1;
                    end = null;
                }
            }
        }
        return lines + (isCode(code.toString().strip()) ? 1 : 0);
    }

    /** The end of what begins here, if a comment, a text, or a character does. */
    private static String opened(String source, int at) {
        return source.startsWith("//", at)
                ? "\n"
                : source.startsWith("/*", at)
                        ? "*/"
                        : source.startsWith("\"\"\"", at)
                                ? "\"\"\""
                                : source.startsWith("\"", at) ? "\"" : source.startsWith("'", at) ? "'" : null;
    }

    private static boolean isCode(String line) {
        return !line.isEmpty() && !line.startsWith("import ") && !line.startsWith("package ");
    }
}
