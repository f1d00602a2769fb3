package dev.kopf4j.cli.dependency;

import dev.kopf4j.cli.process.CommandException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.eclipse.aether.repository.RemoteRepository;

/**
 * A repository that a source file names.
 *
 * @param id its name
 * @param url its address; empty for the one of Maven's settings or of Maven itself
 */
record NamedRepository(String id, String url) {
    /** How Maven calls the repository that it knows by itself. */
    static final String CENTRAL = "central";

    /** Those that jbang knows by name, too. */
    private static final Map<String, String> KNOWN =
            Map.of("google", "https://maven.google.com/", "jitpack", "https://jitpack.io/");

    /**
     * Reads {@code mavencentral}, another known name, {@code name=address}, or an address.
     *
     * @throws CommandException if it is something else
     */
    static NamedRepository parse(String text, String position) {
        if (text.equals("mavencentral")) {
            return new NamedRepository(CENTRAL, "");
        }
        int equals = text.indexOf('=');
        String url = equals > 0 ? text.substring(equals + 1) : KNOWN.getOrDefault(text, text);
        if (!url.matches("(https?|file):.+")) {
            throw CommandException.usage(position + ": " + text + " is no repository: write //REPOS name=address, as in"
                    + " //REPOS mavencentral,acme=https://maven.example.com/releases; known by name are mavencentral, "
                    + String.join(", ", KNOWN.keySet().stream().sorted().toList()) + ".");
        }
        return new NamedRepository(equals > 0 ? text.substring(0, equals) : id(text, url), url);
    }

    private static String id(String text, String url) {
        return KNOWN.containsKey(text) ? text : String.valueOf(URI.create(url).getHost());
    }

    /** The repository; empty if Maven has it by itself. */
    Optional<RemoteRepository> remote() {
        return url.isEmpty() ? Optional.empty() : Optional.of(new RemoteRepository.Builder(id, "default", url).build());
    }
}
