package dev.kopf4j.client.socket;

import dev.kopf4j.text.FileProblem;
import dev.kopf4j.text.HomeFolder;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file in which ftp, curl and Python's clients look for passwords by the names of hosts: {@code machine HOST login
 * NAME password PASSWORD}, {@code default}, {@code macdef}, comments behind {@code #}, texts in double quotes.
 * Immutable.
 *
 * @param machines the entries, in their order
 */
public record NetrcFile(List<Machine> machines) {
    /** No file. */
    static final NetrcFile NONE = new NetrcFile(List.of());

    private static final Logger log = LoggerFactory.getLogger("kopf4j.activities.authentication");

    /**
     * The entry of one host. Its text form does not show the password.
     *
     * @param name null for all hosts that have no entry
     * @param password empty if there is none
     */
    public record Machine(@Nullable String name, String login, String password) {
        @Override
        public String toString() {
            return (name == null ? "default" : name) + ": " + login;
        }
    }

    /** Copies the entries. */
    public NetrcFile {
        machines = List.copyOf(machines);
    }

    /**
     * Reads the file that the variable {@code NETRC} names, or {@code .netrc} in the home folder, which may be missing.
     * A file that is of no use is told in the log, without its content, and counts as empty: a server may want nothing.
     */
    public static NetrcFile of(Map<String, String> environment) {
        String named = environment.getOrDefault("NETRC", "");
        Path file = named.isBlank() ? HomeFolder.of(environment).resolve(".netrc") : Path.of(named);
        if (named.isBlank() && Files.notExists(file)) {
            return NONE;
        }
        try {
            return parse(Files.readString(file));
        } catch (IOException e) {
            log.warn("The passwords of {} are not used: {}", file, FileProblem.describe(file, e));
        } catch (IllegalArgumentException e) {
            log.warn("The passwords of {} are not used: {}", file, e.getMessage());
        }
        return NONE;
    }

    /**
     * Reads the text of a file.
     *
     * @throws IllegalArgumentException if it has another form; with the number of the line, without its content
     */
    static NetrcFile parse(String text) {
        NetrcTokens tokens = new NetrcTokens(text);
        List<Machine> machines = new ArrayList<>();
        for (String word = tokens.next(); word != null; word = tokens.next()) {
            switch (word) {
                case "machine" -> machines.add(machine(tokens.value(), tokens));
                case "default" -> machines.add(machine(null, tokens));
                case "macdef" -> tokens.skipMacro();
                default -> throw tokens.unexpected();
            }
        }
        return new NetrcFile(machines);
    }

    private static Machine machine(@Nullable String name, NetrcTokens tokens) {
        String login = "";
        String account = "";
        String password = "";
        while (tokens.isAtPartOfEntry()) {
            String part = tokens.value();
            switch (part) {
                case "login", "user" -> login = tokens.value();
                case "account" -> account = tokens.value();
                default -> password = tokens.value();
            }
        }
        return new Machine(name, login.isEmpty() ? account : login, password);
    }

    /** The last entry of a host, else the one for all others; empty if there is neither, or it names nobody. */
    public Optional<Machine> find(@Nullable String host) {
        return last(machine -> machine.name() != null && machine.name().equalsIgnoreCase(host))
                .or(() -> last(machine -> machine.name() == null))
                .filter(machine -> !machine.login().isEmpty());
    }

    private Optional<Machine> last(Predicate<Machine> wanted) {
        return machines.stream().filter(wanted).reduce((first, last) -> last);
    }

    /** The proxy with what the file says of its host, unless it has a name and a password already. */
    URI completed(URI proxy) {
        return proxy.getUserInfo() != null
                ? proxy
                : find(proxy.getHost())
                        .map(machine -> URI.create("http://" + encoded(machine.login()) + ":"
                                + encoded(machine.password()) + "@" + proxy.getRawAuthority()))
                        .orElse(proxy);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** The words of a {@code .netrc} file, one behind the other. Confined. */
    static final class NetrcTokens {
        private static final Set<String> PARTS_OF_ENTRY = Set.of("login", "user", "account", "password");

        private static final Pattern EMPTY_LINE = Pattern.compile("\n[ \t\r]*\n");

        private final String text;
        private int position;

        NetrcTokens(String text) {
            this.text = text;
        }

        /** Takes the next word; null at the end. */
        @Nullable String next() {
            skipSpaceAndComments();
            return position < text.length() ? word() : null;
        }

        /** Takes the next word, which must be there. A {@code #} may be its beginning. */
        String value() {
            skipSpace();
            if (position == text.length()) {
                throw unexpected();
            }
            return word();
        }

        /** True if the next word names a part of an entry; takes nothing. */
        boolean isAtPartOfEntry() {
            skipSpaceAndComments();
            int before = position;
            boolean is = position < text.length() && PARTS_OF_ENTRY.contains(word());
            position = before;
            return is;
        }

        /** Leaves out a macro: all lines up to the next empty one. */
        void skipMacro() {
            Matcher emptyLine = EMPTY_LINE.matcher(text);
            position = emptyLine.find(position) ? emptyLine.start() : text.length();
        }

        /** The form is wrong here. */
        IllegalArgumentException unexpected() {
            long line = text.substring(0, position).lines().count();
            return new IllegalArgumentException(
                    "line " + Math.max(1, line) + " has another form than 'machine HOST login NAME password PASSWORD'");
        }

        private void skipSpaceAndComments() {
            skipSpace();
            while (position < text.length() && text.charAt(position) == '#') {
                int end = text.indexOf('\n', position);
                position = end < 0 ? text.length() : end;
                skipSpace();
            }
        }

        private void skipSpace() {
            while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
                position++;
            }
        }

        private String word() {
            boolean quoted = text.charAt(position) == '"';
            position += quoted ? 1 : 0;
            StringBuilder word = new StringBuilder();
            while (position < text.length() && !isEnd(text.charAt(position), quoted)) {
                boolean escaped = text.charAt(position) == '\\' && position + 1 < text.length();
                position += escaped ? 1 : 0;
                word.append(text.charAt(position));
                position++;
            }
            position += quoted && position < text.length() ? 1 : 0;
            return word.toString();
        }

        private static boolean isEnd(char letter, boolean quoted) {
            return quoted ? letter == '"' : Character.isWhitespace(letter);
        }
    }
}
