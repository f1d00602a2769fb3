package dev.kopf4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.EntityTree;
import com.sun.source.doctree.LinkTree;
import com.sun.source.doctree.LiteralTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * The reference of annotations is made of their sources: {@code cp examples/target/annotations.md docs/annotations.md}.
 */
class AnnotationsPageTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final String HEAD = """
            # Annotations

            All annotations with all their attributes, made of the sources (`AnnotationsPageTest`), not to be edited. What they are good
            for is told in [Handlers](handlers.md), [Types and definitions](types.md) and [Tests](testing.md); what their methods can ask for, in
            [Parameters](parameters.md). An attribute without a default has to be given.
            """;

    private static final List<Part> PARTS = List.of(
            new Part(
                    "Operators",
                    "core/src/main/java/dev/kopf4j",
                    "*Objects* are all annotations with which a method handles objects of a resource; *activities* are `@OnStartup`, "
                            + "`@OnCleanup`, `@OnLogin` and `@OnProbe`."),
            new Part("Types and definitions", "core/src/main/java/dev/kopf4j/crd", ""),
            new Part("Rights", "core/src/main/java/dev/kopf4j/rbac", ""),
            new Part("Tests", "testing/src/main/java/dev/kopf4j/testing", ""));

    private static final Set<String> ACTIVITIES = Set.of("OnStartup", "OnCleanup", "OnLogin", "OnProbe");

    private record Part(String heading, String folder, String preface) {}

    /** An annotation, as its source has it. */
    private record Type(String name, String targets, String text, List<Attribute> attributes) {}

    /** One attribute; equal ones of several annotations are told once. */
    private record Attribute(String name, String type, String initial, String text) {}

    @Test
    void pageIsThatOfTheSources() throws IOException {
        String page = page();
        Path target = Files.writeString(Path.of("target", "annotations.md"), page);
        assertThat(page).contains("`@OnCreate`", "`@KopfTest`", "`@PrinterColumn`", "| `retries` | `int` | `-1` |");
        assertThat(ROOT.resolve("docs/annotations.md"))
                .as("cp examples/%s docs/annotations.md", target)
                .content()
                .isEqualTo(page);
    }

    private static String page() throws IOException {
        var page = new StringBuilder(HEAD);
        for (Part part : PARTS) {
            List<Type> types = types(ROOT.resolve(part.folder));
            page.append("\n## ").append(part.heading).append("\n\n| annotation | on | what for |\n|---|---|---|\n");
            types.forEach(type -> page.append("| `@%s` | %s | %s |\n".formatted(type.name, type.targets, type.text)));
            if (!part.preface.isEmpty()) {
                page.append('\n').append(part.preface).append('\n');
            }
            page.append("\n| attribute | type | default | of | what for |\n|---|---|---|---|---|\n");
            Set<String> objects = types.stream()
                    .filter(AnnotationsPageTest::isOfObjects)
                    .map(Type::name)
                    .collect(Collectors.toCollection(TreeSet::new));
            attributes(types)
                    .forEach((attribute, holders) -> page.append("| `%s` | `%s` | %s | %s | %s |\n"
                            .formatted(
                                    attribute.name,
                                    attribute.type,
                                    attribute.initial,
                                    holders(holders, objects),
                                    attribute.text)));
        }
        return page.toString();
    }

    private static boolean isOfObjects(Type type) {
        return type.attributes.stream().anyMatch(each -> each.name.equals("category"));
    }

    /** Who has which attribute; by the first annotation that has one of the name, and in its order there. */
    private static Map<Attribute, Set<String>> attributes(List<Type> types) {
        Map<String, Map<Attribute, Set<String>>> byName = new LinkedHashMap<>();
        for (Type type : types) {
            for (Attribute attribute : type.attributes) {
                byName.computeIfAbsent(attribute.name, _ -> new LinkedHashMap<>())
                        .computeIfAbsent(attribute, _ -> new TreeSet<>())
                        .add(type.name);
            }
        }
        Map<Attribute, Set<String>> attributes = new LinkedHashMap<>();
        byName.values().forEach(attributes::putAll);
        return attributes;
    }

    private static String holders(Set<String> holders, Set<String> objects) {
        List<String> words = new ArrayList<>();
        Set<String> rest = new TreeSet<>(holders);
        Set<String> without = new TreeSet<>(objects);
        without.removeAll(holders);
        if (!objects.isEmpty() && without.size() < 4) {
            String except =
                    without.isEmpty() ? "" : without.stream().collect(Collectors.joining("`, `@", " but `@", "`"));
            words.add("objects" + except);
            rest.removeAll(objects);
        }
        if (rest.containsAll(ACTIVITIES)) {
            words.add("activities");
            rest.removeAll(ACTIVITIES);
        }
        rest.forEach(name -> words.add("`@" + name + "`"));
        return String.join(", ", words);
    }

    private static List<Type> types(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder, folder.endsWith("kopf4j") ? 1 : 9)) {
            files = all.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        }
        var compiler = ToolProvider.getSystemJavaCompiler();
        Map<String, Type> types = new TreeMap<>();
        try (var manager = compiler.getStandardFileManager(null, null, null)) {
            var task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
            DocTrees trees = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                for (Tree declared : unit.getTypeDecls()) {
                    if (declared instanceof ClassTree type && type.getKind() == Tree.Kind.ANNOTATION_TYPE) {
                        Type read = type(trees, new TreePath(new TreePath(unit), type), type);
                        types.put(read.name, read);
                    }
                }
            }
        }
        return List.copyOf(types.values());
    }

    private static Type type(DocTrees trees, TreePath path, ClassTree type) {
        List<Attribute> attributes = new ArrayList<>();
        for (Tree member : type.getMembers()) {
            if (member instanceof MethodTree method) {
                attributes.add(new Attribute(
                        method.getName().toString(),
                        method.getReturnType().toString(),
                        method.getDefaultValue() == null ? "" : "`" + initial(method) + "`",
                        text(trees, new TreePath(path, method))));
            }
        }
        return new Type(type.getSimpleName().toString(), targets(type), text(trees, path), attributes);
    }

    private static String initial(MethodTree method) {
        String initial = method.getDefaultValue().toString();
        return initial.equals("{}") ? "none" : initial;
    }

    private static String targets(ClassTree type) {
        return type.getModifiers().getAnnotations().stream()
                .filter(each -> each.getAnnotationType().toString().equals("Target"))
                .flatMap(each -> each.getArguments().stream())
                .map(Tree::toString)
                .map(text -> text.replaceAll("\\w+ = |ElementType\\.|[{}]", "")
                        .replace("ANNOTATION_TYPE", "annotations")
                        .replace("RECORD_COMPONENT", "record components")
                        .replace("METHOD", "methods")
                        .replace("PARAMETER", "parameters")
                        .replace("FIELD", "fields")
                        .replace("TYPE_USE", "types where they are used")
                        .replace("TYPE", "classes")
                        .strip())
                .collect(Collectors.joining());
    }

    private static String text(DocTrees trees, TreePath path) {
        DocCommentTree comment = trees.getDocCommentTree(path);
        assertThat(comment).as("the comment of %s", path.getLeaf()).isNotNull();
        var text = new StringBuilder();
        comment.getFirstSentence().forEach(part -> append(part, text));
        if (path.getLeaf() instanceof MethodTree && !comment.getBody().isEmpty()) {
            text.append(' ');
            comment.getBody().forEach(part -> append(part, text));
        }
        return text.toString().replaceAll("\\s+", " ").replace("|", "\\|").strip();
    }

    private static void append(DocTree part, StringBuilder text) {
        switch (part) {
            case LiteralTree literal ->
                text.append('`').append(literal.getBody().getBody()).append('`');
            case LinkTree link ->
                text.append('`')
                        .append(link.getReference()
                                .getSignature()
                                .replaceFirst("^#", "")
                                .replace('#', '.'))
                        .append('`');
            case EntityTree entity ->
                text.append(
                        switch (entity.getName().toString()) {
                            case "lt" -> "&lt;";
                            case "gt" -> "&gt;";
                            default -> throw new IllegalArgumentException(entity.toString());
                        });
            default -> text.append(part.toString().replaceAll("</?[a-z]+>", " "));
        }
    }
}
