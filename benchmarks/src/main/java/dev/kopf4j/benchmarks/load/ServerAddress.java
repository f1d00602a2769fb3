package dev.kopf4j.benchmarks.load;

import java.net.URI;
import java.util.List;

/**
 * Where an API server is, and how to get in.
 *
 * @param url without a slash at the end
 * @param token the administrator's
 * @param operatorToken the token of the account of the measured program
 * @param kubeconfig a file with the URL, the authority and the operator's token
 */
public record ServerAddress(URI url, String token, String operatorToken, String kubeconfig) {
    /** The words of a line. */
    public static ServerAddress parse(String line) {
        List<String> words = List.of(line.split(" ", -1));
        return new ServerAddress(URI.create(words.get(0)), words.get(1), words.get(2), words.get(3));
    }
}
