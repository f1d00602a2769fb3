package dev.kopf4j.examples;

import static java.util.stream.Collectors.flatMapping;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Setting;
import dev.kopf4j.examples.PageTables.Cell;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Holds the page for people who come from Kopf: it has all public names of Kopf and no others, and our names beside
 * them exist. All code in the columns with our names is one of: an annotation with attributes, a type or a member of
 * one, a parameter of a handler, a setting, a command with an option.
 */
class ComingFromKopfTest {
    private static final Set<String> OURS = Set.of("annotation", "in code", "kopf4j", "parameter");
    private static final Predicate<String> ANNOTATION = form("@\\w+(\\(.*\\))?");
    private static final Predicate<String> TYPE = form("[A-Z]\\w*(\\.\\w+)*");
    private static final Predicate<String> MEMBER = form("[A-Z]\\w*(\\.\\w+)+");
    private static final Predicate<String> PARAMETER = form("[A-Za-z]+(<.*>)? [a-zA-Z]+");
    private static final Predicate<String> SETTING = form("[a-z]\\w*\\.[a-z]\\w*");
    private static final Predicate<String> COMMAND = form("kopf4j [a-z]+( --[a-z-]+)?");
    private static final List<String> KINDS = List.of(
            "@OnUpdate(\"kex\")", "@OnEvent(\"kex\")", "@OnDaemon(\"kex\")", "@OnValidate(\"kex\")", "@OnStartup");

    private String page = "";

    private static Predicate<String> form(String pattern) {
        return Pattern.compile(pattern).asMatchPredicate();
    }

    @BeforeEach
    void read() throws IOException {
        page = Files.readString(Path.of("..", "docs", "coming-from-kopf.md"));
    }

    private List<String> ours(Predicate<String> form) {
        return PageTables.cells(page).stream()
                .filter(cell -> OURS.contains(cell.column()))
                .flatMap(cell -> cell.names().stream())
                .filter(form)
                .distinct()
                .toList();
    }

    private static Map<String, Set<String>> namesOfKopf() throws IOException {
        Map<String, Set<String>> sections = new HashMap<>();
        Set<String> names = new HashSet<>();
        for (String line : Files.readAllLines(Path.of("src", "test", "resources", "kopf-names.txt"))) {
            if (line.startsWith("[")) {
                names = new HashSet<>();
                sections.put(line.substring(1, line.length() - 1), names);
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                names.add(line);
            }
        }
        return sections;
    }

    @Test
    void hasAllPublicNamesOfKopfAndNoOthers() throws IOException {
        Map<String, Set<String>> kopf = namesOfKopf();
        assertThat(kopf).hasSizeGreaterThan(10);
        Map<String, Set<String>> told = PageTables.cells(page).stream()
                .filter(cell -> cell.column().equals("Kopf"))
                .collect(groupingBy(Cell::section, flatMapping(cell -> cell.names().stream(), toSet())));
        assertThat(told.keySet()).isEqualTo(kopf.keySet());
        kopf.forEach((section, names) -> assertThat(told.get(section))
                .as("'%s', compared with kopf-names.txt", section)
                .containsExactlyInAnyOrderElementsOf(names));
    }

    @Test
    void hasNamesOfOursInFormsThatCanBeChecked() {
        assertThat(ours(name -> true))
                .hasSizeGreaterThan(200)
                .allMatch(ANNOTATION.or(TYPE).or(PARAMETER).or(SETTING).or(COMMAND));
    }

    @Test
    void annotationsCompile(@TempDir Path folder) throws IOException {
        List<String> methods = new ArrayList<>();
        ours(ANNOTATION).forEach(name -> methods.add("%s public void m%s() {}".formatted(name, methods.size())));
        assertThat(SourceCheck.messages(folder, "Annotated", methods)).isEmpty();
    }

    /** By links of Javadoc: what the compiler finds for them, exists. */
    @Test
    void typesAndTheirMembersExist(@TempDir Path folder) throws IOException {
        Set<String> names = new HashSet<>(ours(TYPE));
        PageTables.spans(page).stream()
                .filter(MEMBER.and(ComingFromKopfTest::isOfOurs))
                .forEach(names::add);
        List<String> fields = new ArrayList<>();
        for (String name : names) {
            String link = name.replaceFirst("\\.([a-z]\\w*|[A-Z_]{2,})$", "#$1");
            fields.add("/** {@link %s} */ public int f%s;".formatted(link, fields.size()));
        }
        assertThat(SourceCheck.messages(folder, "Linked", fields, "-Xdoclint:reference"))
                .isEmpty();
    }

    /** Prose may also speak of members of the JDK. */
    private static boolean isOfOurs(String member) {
        String type = "dev/kopf4j/" + member.substring(0, member.indexOf('.')) + ".class";
        return Operator.class.getClassLoader().getResource(type) != null;
    }

    @Test
    void settingsExist() {
        assertThat(OperatorSettings.all().stream().map(Setting::name)).containsAll(ours(SETTING));
    }

    @Test
    void commandsAndOptionsExist() throws ReflectiveOperationException {
        for (String name : ours(COMMAND)) {
            String[] words = name.split(" ", -1);
            String command = words[1].substring(0, 1).toUpperCase(Locale.ROOT) + words[1].substring(1);
            CommandSpec spec = CommandSpec.forAnnotatedObject(Class.forName("dev.kopf4j.cli." + command + "Command"));
            Set<String> options = new HashSet<>(spec.optionsMap().keySet());
            options.addAll(spec.negatedOptionsMap().keySet());
            if (words.length > 2) {
                assertThat(options).as(name).contains(words[2]);
            }
        }
    }

    @Test
    void parametersAreInjectedInHandlersOfSomeKind(@TempDir Path folder) throws IOException {
        List<String> parameters = ours(PARAMETER);
        assertThat(parameters).hasSizeGreaterThan(20);
        List<String> classes = new ArrayList<>();
        classes.add(
                "public static class Indexing { @OnIndex(\"pods\") Map<String, String> podsByNode() { return null; } }");
        for (String parameter : parameters) {
            for (String kind : KINDS) {
                classes.add("public static class Handling%s { %s void handler(%s) {} }"
                        .formatted(classes.size(), kind, parameter));
            }
        }
        assertThat(SourceCheck.messages(folder, "Injected", classes, "-parameters"))
                .isEmpty();
        try (var loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            for (int first = 1; first < classes.size(); first += KINDS.size()) {
                assertThat(refusals(loader, first)).as(classes.get(first)).hasSizeLessThan(KINDS.size());
            }
        }
    }

    private static List<String> refusals(ClassLoader loader, int first) {
        List<String> refusals = new ArrayList<>();
        for (int number = first; number < first + KINDS.size(); number++) {
            try {
                Operator.builder()
                        .handlers(loader.loadClass("Injected$Indexing"), loader.loadClass("Injected$Handling" + number))
                        .build();
            } catch (HandlerDeclarationException e) {
                refusals.add(e.getMessage());
            } catch (ClassNotFoundException e) {
                throw new AssertionError(e);
            }
        }
        return refusals;
    }
}
