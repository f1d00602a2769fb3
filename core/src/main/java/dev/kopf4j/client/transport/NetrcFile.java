package dev.kopf4j.client.transport;

import dev.kopf4j.text.HomeFolder;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file in which ftp, curl and Python's clients look for passwords by the names of hosts: {@code $NETRC}, or
 * {@code ~/.netrc}. Immutable.
 *
 * @param machines the entries; the one with an empty name is for all other hosts
 */
record NetrcFile(List<Machine> machines) {
    /** No file. */
    static final NetrcFile NONE = new NetrcFile(List.of());

    private static final Logger log = LoggerFactory.getLogger("kopf4j.client");

    /** The entry of one host. Its text form does not show the password. */
    record Machine(String name, String login, String password) {
        @Override
        public String toString() {
            return name + ": " + login;
        }
    }

    /** Reads the file that the environment names, or that of the home folder; it may be missing. */
    static NetrcFile of(Map<String, String> environment) {
        String named = environment.get("NETRC");
        Path file = named == null ? HomeFolder.of(environment).resolve(".netrc") : Path.of(named);
        if (!Files.isReadable(file)) {
            return NONE;
        }
        try {
            return parse(Files.readString(file));
        } catch (IOException e) {
            log.warn("The passwords of {} are not used, as the file cannot be read: {}", file, e.toString());
            return NONE;
        }
    }

    static NetrcFile parse(String text) {
        return new NetrcFile(new Parser(text).machines());
    }

    /** What the file says of a host. */
    Optional<Machine> find(@Nullable String host) {
        return machines.stream()
                .filter(machine -> machine.name().equals(host) || machine.name().isEmpty())
                .findFirst();
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

    /** Words, of which the first one says what the second one is. Macros reach to the next empty line. */
    private static final class Parser {
        private final Deque<String> words;
        private final Deque<Machine> machines = new ArrayDeque<>();

        Parser(String text) {
            String withoutMacros = text.replaceAll("(?ms)(?<!\\S)macdef\\s.*?(^\\s*$|\\z)", "");
            String withoutComments = withoutMacros.replaceAll("(?m)^\\s*#.*$", "");
            this.words = new ArrayDeque<>(List.of(withoutComments.strip().split("\\s+", -1)));
        }

        List<Machine> machines() {
            while (!words.isEmpty()) {
                read(words.remove());
            }
            return List.copyOf(machines);
        }

        private void read(String word) {
            switch (word) {
                case "machine" -> machines.add(new Machine(next(), "", ""));
                case "default" -> machines.add(new Machine("", "", ""));
                case "login" -> change(last -> new Machine(last.name(), next(), last.password()));
                case "password" -> change(last -> new Machine(last.name(), last.login(), next()));
                default -> {}
            }
        }

        private String next() {
            return words.isEmpty() ? "" : words.remove();
        }

        private void change(UnaryOperator<Machine> change) {
            if (!machines.isEmpty()) {
                machines.add(change.apply(machines.removeLast()));
            }
        }
    }
}
