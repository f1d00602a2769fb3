package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.cli.process.ForcedExit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The reference of commands is made of what they declare: {@code cp cli/target/commands.md docs/commands.md}. */
class CommandsPageTest {
    private static final String HEAD = """
            # Commands

            All commands with all their options, made of what the program declares (`CommandsPageTest`), not to be edited. [The command line](command-line.md)
            tells what they are good for.
            """;

    /** Options that as many commands have are told once. */
    private static final int MANY = 8;

    private static final Pattern CODE =
            Pattern.compile("/\\*\\* ([^*]+) \\*/\\s+public static final int (\\w+) = (\\d+);");

    private static final Pattern SCRIPT_HELP = Pattern.compile("(?s)warm_up_help\\(\\) \\{.*?<<'EOF'\n(.*?)\nEOF\n");
    private static final Pattern SCRIPT_ARGUMENT = Pattern.compile(" +(\\w+) +(.*)");

    /** An option, as help tells it. */
    private record Option(String names, String what) {}

    @Test
    void pageIsWhatTheProgramDeclares() throws IOException {
        String page = page();
        Path target = Files.writeString(Path.of("target", "commands.md"), page);
        assertThat(page).contains("## kopf4j run", "## kopf4j rbac check", "`--all-namespaces`", "| 4 |");
        assertThat(Path.of("..", "docs", "commands.md"))
                .as("cp cli/%s docs/commands.md", target)
                .content()
                .isEqualTo(page);
    }

    private static String page() throws IOException {
        Map<String, CommandSpec> commands = new LinkedHashMap<>();
        collect("kopf4j", Main.commandLine(Map.of()), commands);
        Map<Option, List<String>> holders = new LinkedHashMap<>();
        commands.forEach((name, command) -> options(command)
                .forEach(option ->
                        holders.computeIfAbsent(option, _ -> new ArrayList<>()).add(name)));
        List<Option> ofMany = holders.entrySet().stream()
                .filter(entry -> entry.getValue().size() >= MANY)
                .map(Map.Entry::getKey)
                .toList();
        var page = new StringBuilder(HEAD);
        page.append("\n## Exit codes\n\n| code | |\n|---|---|\n").append(exitCodes());
        page.append("\n## Options of many commands\n\n");
        table(page, ofMany);
        commands.forEach((name, command) -> section(page, name, command, ofMany));
        warmUp(page);
        return page.toString();
    }

    /** The one command of the script that starts the program, made of its help. */
    private static void warmUp(StringBuilder page) throws IOException {
        Matcher help = SCRIPT_HELP.matcher(Files.readString(Path.of("src/main/dist/bin/kopf4j")));
        assertThat(help.find()).isTrue();
        List<String> lines = help.group(1).lines().toList();
        String what = lines.stream()
                .filter(line -> !line.matches("(Usage|Exit codes|\\s).*"))
                .collect(Collectors.joining(" "));
        page.append("\n## kopf4j warm-up\n\n").append(escaped(what)).append("\n\n");
        table(
                page,
                lines.stream()
                        .map(SCRIPT_ARGUMENT::matcher)
                        .filter(Matcher::matches)
                        .map(argument -> new Option("`" + argument.group(1) + "`", escaped(argument.group(2))))
                        .toList());
    }

    private static void collect(String name, CommandLine line, Map<String, CommandSpec> commands) {
        line.getSubcommands().forEach((word, below) -> {
            String whole = name + " " + word;
            if (!below.getCommandSpec().usageMessage().hidden()) {
                commands.putIfAbsent(whole, below.getCommandSpec());
            }
            collect(whole, below, commands);
        });
    }

    private static void section(StringBuilder page, String name, CommandSpec command, List<Option> ofMany) {
        page.append("\n## ").append(name).append("\n\n");
        page.append(sentence(escaped(command.usageMessage().description()))).append('\n');
        List<Option> own = new ArrayList<>();
        for (PositionalParamSpec parameter : command.positionalParameters()) {
            own.add(new Option("`" + parameter.paramLabel() + "`", escaped(parameter.description())));
        }
        List<Option> options = options(command);
        options.stream().filter(option -> !ofMany.contains(option)).forEach(own::add);
        if (!own.isEmpty()) {
            page.append('\n');
            table(page, own);
        }
        String shared = options.stream()
                .filter(ofMany::contains)
                .map(option -> option.names)
                .collect(Collectors.joining(", "));
        if (!shared.isEmpty()) {
            page.append("\nAnd of [many commands](#options-of-many-commands): ")
                    .append(shared)
                    .append(".\n");
        }
    }

    private static void table(StringBuilder page, List<Option> options) {
        page.append("| | what for |\n|---|---|\n");
        options.forEach(option -> page.append("| %s | %s |\n".formatted(option.names, option.what)));
    }

    private static List<Option> options(CommandSpec command) {
        return command.options().stream()
                .filter(option -> !option.hidden())
                .filter(option -> !option.usageHelp() && !option.versionHelp())
                .map(CommandsPageTest::option)
                .toList();
    }

    private static Option option(OptionSpec option) {
        String names = Stream.of(option.names())
                .flatMap(name ->
                        option.negatable() ? Stream.of(name, name.replaceFirst("^--", "--no-")) : Stream.of(name))
                .collect(Collectors.joining("`, `", "`", "`"));
        boolean takesNothing = option.arity().max() == 0;
        String label = takesNothing ? "" : " `" + option.paramLabel() + "`";
        String initial =
                option.defaultValue() == null || takesNothing ? "" : " Default: `" + option.defaultValue() + "`.";
        return new Option(names + label.replace("|", "\\|"), sentence(escaped(option.description())) + initial);
    }

    private static String sentence(String text) {
        return text.isEmpty() || text.endsWith(".") ? text : text + ".";
    }

    private static String escaped(String... description) {
        return String.join(" ", description)
                .replace("%n", " ")
                .replaceAll("\\s+", " ")
                .replace("|", "\\|")
                .replace("<", "&lt;")
                .replace("{{", "{ {")
                .strip();
    }

    private static String exitCodes() throws IOException {
        String source = Files.readString(Path.of("src/main/java/dev/kopf4j/cli/process/ExitCode.java"));
        Map<String, String> meanings = new LinkedHashMap<>();
        CODE.matcher(source)
                .results()
                .forEach(code -> meanings.merge(code.group(3), code.group(1), (before, also) -> before + " " + also));
        assertThat(meanings).hasSizeGreaterThan(3);
        meanings.putIfAbsent(
                "3",
                "No JDK of the right version was found; the message says what to install. Or the heap was too small:"
                        + " \"Terminating due to java.lang.OutOfMemoryError\".");
        meanings.put(
                "130, 143",
                "A second SIGINT or SIGTERM, a second after the first or later: the process ended at once.");
        meanings.put(
                String.valueOf(ForcedExit.CODE),
                "The operator had not ended within process.ultimateExitingTimeout after the first signal, or it was killed,"
                        + " as containers are that take more than their memory (OOMKilled).");
        return meanings.entrySet().stream()
                .sorted(Comparator.comparing(
                        code -> Integer.valueOf(code.getKey().replaceFirst(",.*", ""))))
                .map(code -> "| %s | %s |\n".formatted(code.getKey(), code.getValue()))
                .collect(Collectors.joining());
    }
}
