package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * The program takes each command line that the documentation shows, in blocks for terminals and within sentences. What
 * can be run is also run, by {@code DocumentedSessionsTest} in {@code e2e}.
 */
class DocumentedCommandsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^( *)```(\\w*) *\\n(.*?)^ *```");
    private static final Pattern SPAN = Pattern.compile("`([^`\\n]+)`");

    /** Blocks of these languages have no commands. */
    private static final List<String> OTHERS = List.of("java", "yaml", "xml", "python", "diff", "json");

    /** Words of a shell: quoted, or without spaces; and what ends a command. */
    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\";&|])+|[;&|]+");

    /** {@code one|other}, without spaces. */
    private static final Pattern ALTERNATIVES = Pattern.compile("(?<= )\\S*\\w\\|[\\w|-]+");

    /** The program, however it is named; or the one that is its command {@code devcluster} alone. */
    private static final Pattern PROGRAM = Pattern.compile("(?:\\S*/)?kopf4j(-devcluster)?(?::[\\d.]+)?");

    /**
     * A command line.
     *
     * @param where it stands
     * @param words what follows the name of the program
     */
    record Shown(String where, List<String> words) {
        String[] arguments() {
            return words.toArray(String[]::new);
        }

        @Override
        public String toString() {
            return where + ": kopf4j " + String.join(" ", words);
        }
    }

    private static Map<String, String> pages() throws IOException {
        Map<String, String> pages = new TreeMap<>();
        try (Stream<Path> files = Files.walk(ROOT, 3)) {
            for (Path file : files.filter(DocumentedCommandsTest::isPage).toList()) {
                pages.put(ROOT.relativize(file).toString(), Files.readString(file));
            }
        }
        assertThat(pages).containsKeys("README.md", "docs/command-line.md", "examples/06-peering/README.md");
        return pages;
    }

    /** Changes tell also what there is no more; the page of commands is made of them. */
    private static boolean isPage(Path file) {
        String name = ROOT.relativize(file).toString();
        return name.endsWith(".md")
                && !name.matches("(CHANGELOG|docs/commands)\\.md|(.*/)?(target|node_modules|\\..*)/.*");
    }

    static Stream<Shown> commandLines() throws IOException {
        List<Shown> shown = new ArrayList<>();
        pages().forEach((page, text) -> BLOCK.matcher(text)
                .results()
                .filter(block -> !OTHERS.contains(block.group(2)))
                .flatMap(DocumentedCommandsTest::lines)
                .flatMap(DocumentedCommandsTest::alternatives)
                .forEach(line -> add(shown, page, line)));
        assertThat(shown).hasSizeGreaterThan(80);
        return shown.stream();
    }

    /** What is typed: where there is a prompt, the lines without one are output. */
    private static Stream<String> lines(MatchResult block) {
        String code = block.group(3).replaceAll("\\\\\\n\\s*", " ");
        List<String> lines = code.lines().map(String::strip).toList();
        boolean prompts = lines.stream().anyMatch(line -> line.startsWith("$ "));
        return lines.stream()
                .filter(line -> !prompts || line.startsWith("$ "))
                .map(line -> line.replaceFirst("^\\$ ", ""))
                // A remark stands behind a wide gap.
                .map(line -> line.replaceFirst(" {2,}(?!-).*", ""));
    }

    /** A line for each of {@code one|other}, without the signs of usages. */
    private static Stream<String> alternatives(String line) {
        String plain = line.replaceAll(" \\[[^]]*]", "").replace("...", "");
        return ALTERNATIVES
                .matcher(plain)
                .results()
                .findFirst()
                .map(found -> Stream.of(found.group().split("\\|"))
                        .map(each -> plain.substring(0, found.start()) + each + plain.substring(found.end())))
                .orElse(Stream.of(plain));
    }

    /** Adds the calls of the program on one line. */
    private static void add(List<Shown> shown, String page, String line) {
        List<String> words = new ArrayList<>();
        for (MatchResult found : WORD.matcher(line).results().toList()) {
            String word = found.group();
            if (word.startsWith("#")) {
                break;
            }
            if (word.matches("[;&|]+")) {
                addCall(shown, page, words);
                words.clear();
            } else {
                words.add(word.replaceAll("['\"]", ""));
            }
        }
        addCall(shown, page, words);
    }

    private static void addCall(List<Shown> shown, String page, List<String> words) {
        boolean inContainer = words.size() > 1 && words.subList(0, 2).equals(List.of("docker", "run"));
        for (int at = 0; at < words.size() && (at == 0 || inContainer); at++) {
            if (PROGRAM.matcher(words.get(at)).matches()) {
                boolean devCluster = words.get(at).contains("kopf4j-devcluster");
                List<String> arguments = new ArrayList<>(devCluster ? List.of("devcluster") : List.of());
                arguments.addAll(words.subList(at + 1, words.size()));
                shown.add(new Shown(page, List.copyOf(arguments)));
                return;
            }
        }
    }

    @ParameterizedTest
    @MethodSource("commandLines")
    void isTaken(Shown shown) {
        assertThat(refusal(shown)).as("%s", shown).isEmpty();
    }

    private static String refusal(Shown shown) {
        if (shown.words().getFirst().equals("warm-up")) {
            return ""; // of the script that starts the program
        }
        try {
            Main.commandLine(Map.of(), shown.arguments()).parseArgs(shown.arguments());
            return "";
        } catch (ParameterException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Sentences leave out what does not matter to them. */
    static Stream<Shown> mentions() throws IOException {
        List<String> commands =
                Main.commandLine(Map.of()).getSubcommands().keySet().stream().toList();
        List<Shown> shown = new ArrayList<>();
        pages().forEach((page, text) -> SPAN.matcher(BLOCK.matcher(text).replaceAll(""))
                .results()
                .map(span -> span.group(1))
                .map(span -> isCommand(span, commands) ? "kopf4j " + span : span)
                .flatMap(DocumentedCommandsTest::alternatives)
                .forEach(span -> add(shown, page, span)));
        assertThat(shown).hasSizeGreaterThan(150);
        return shown.stream();
    }

    /** Also {@code run --console} is one. */
    private static boolean isCommand(String span, List<String> commands) {
        String[] words = span.split(" ", 3);
        return words.length > 1 && commands.contains(words[0]) && words[1].startsWith("-");
    }

    @ParameterizedTest
    @MethodSource("mentions")
    void commandsAndOptionsExist(Shown shown) {
        CommandLine command = Main.commandLine(Map.of(), shown.arguments());
        boolean named = false;
        for (String word : shown.words) {
            CommandLine below = command.getSubcommands().get(word);
            if (below != null) {
                command = below;
                named = true;
            } else if (word.startsWith("-") && !word.matches("-+")) {
                String option = word.replaceFirst("=.*", "");
                CommandSpec spec = command.getCommandSpec();
                assertThat(spec.optionsMap().containsKey(option)
                                || spec.negatedOptionsMap().containsKey(option))
                        .as("%s: %s", shown, option)
                        .isTrue();
            } else if (!named) {
                assertThat(word).as("%s: a command", shown).isIn("COMMAND", "warm-up");
                return;
            }
        }
    }

    @Test
    void whatThereIsNotIsFound() {
        assertThat(refusal(new Shown("here", List.of("run", "--colour", "Operator.java"))))
                .contains("--colour");
        assertThat(refusal(new Shown("here", List.of("walk", "Operator.java")))).contains("walk");
        assertThat(alternatives("kopf4j uninstall --drain|--orphan FILE...   takes off"))
                .containsExactly(
                        "kopf4j uninstall --drain FILE   takes off", "kopf4j uninstall --orphan FILE   takes off");
        List<Shown> found = new ArrayList<>();
        add(found, "here", "kopf4j manifests 'My Operator.java' | kubectl apply -f -   # all of it");
        assertThat(found).containsExactly(new Shown("here", List.of("manifests", "My Operator.java")));
    }
}
