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
import java.util.function.Predicate;
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
}
