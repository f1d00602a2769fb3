package dev.kopf4j.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a page, in their order. A {@code text} block right below a script belongs to it: it is the output of
 * the script's last command.
 *
 * @param name the file, as seen from the folder of the repository
 */
record DocumentedPage(String name, List<Block> blocks) {
    private static final Pattern FENCE = Pattern.compile("( *)```(\\S*) *");
    private static final Pattern FILE = Pattern.compile("(?://|#) ([\\w./-]+\\.(?:java|yaml|json|py))");
    private static final Set<String> SHELLS = Set.of("sh", "shell", "bash");

    /**
     * What stands between fences.
     *
     * @param heading of the second level, that it stands below
     * @param output what the last command writes, if that is shown below a script
     */
    record Block(
            String heading,
            String language,
            String text,
            int line,
            @Nullable String output) {
        /** The file that it is, by its first line. */
        @Nullable String file() {
            Matcher name = FILE.matcher(firstLine());
            return name.matches() ? name.group(1) : null;
        }

        String firstLine() {
            return text.lines().findFirst().orElse("");
        }

        boolean isScript() {
            return SHELLS.contains(language);
        }

        boolean isOutput() {
            return language.equals("text");
        }

        /** What people type. */
        List<Command> commands() {
            return language.equals("console") ? ofSession() : isScript() ? ofScript() : List.of();
        }

        private List<Command> ofSession() {
            List<Command> commands = new ArrayList<>();
            for (String typed : ("\n" + text).split("\\n\\$ ", -1)) {
                if (!typed.isBlank()) {
                    String[] parts = typed.split("\\n", 2);
                    commands.add(new Command(parts[0], parts.length == 1 ? "" : parts[1]));
                }
            }
            return commands;
        }

        private List<Command> ofScript() {
            List<Command> commands = new ArrayList<>();
            for (String line : text.replaceAll("\\\\\\n\\s*", "").lines().toList()) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    commands.add(new Command(line, null));
                }
            }
            if (output != null) {
                commands.addLast(new Command(commands.removeLast().line(), output));
            }
            return commands;
        }

        private Block withOutput(String shown) {
            return new Block(heading, language, text, line, shown);
        }
    }

    /**
     * A line that people type.
     *
     * @param output what it writes, if the page shows that
     */
    record Command(String line, @Nullable String output) {}

    static DocumentedPage read(Path root, String name) {
        try {
            return new DocumentedPage(name, blocks(Files.readAllLines(root.resolve(name))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Block> blocks(List<String> lines) {
        List<Block> blocks = new ArrayList<>();
        String heading = "";
        boolean isNext = false;
        for (int at = 0; at < lines.size(); at++) {
            String line = lines.get(at);
            Matcher fence = FENCE.matcher(line);
            if (fence.matches()) {
                int end = at + 1 + lines.subList(at + 1, lines.size()).indexOf(fence.group(1) + "```");
                String text = String.join("\n", lines.subList(at + 1, end)).replaceAll("(?m)^" + fence.group(1), "");
                Block block = new Block(heading, fence.group(2), text, at + 1, null);
                if (isNext && block.isOutput() && blocks.getLast().isScript()) {
                    blocks.addLast(blocks.removeLast().withOutput(text));
                } else {
                    blocks.add(block);
                }
                at = end;
                isNext = true;
            } else if (!line.isBlank()) {
                heading = line.startsWith("## ") ? line.substring(3) : heading;
                isNext = false;
            }
        }
        return List.copyOf(blocks);
    }
}
