package dev.kopf4j.cli.manifests;

import java.util.List;
import java.util.Map;

/**
 * How an operator is run in a cluster. Immutable.
 *
 * @param image the image
 * @param arguments those of the program in it
 * @param environment variables with their values, in their order
 * @param replicas how many pods
 * @param several true if several may run at a time: they choose a leader, or share the objects
 * @param webhookPort where its webhook server listens; 0 for none
 * @param byService true if the server has to be told that it is reached by a Service
 */
public record Deployed(
        String image,
        List<String> arguments,
        Map<String, String> environment,
        int replicas,
        boolean several,
        int webhookPort,
        boolean byService) {
    /** Copies the list. */
    public Deployed {
        arguments = List.copyOf(arguments);
    }

    /** True if its pods need one authority: of certificates that each makes for itself, one alone would be trusted. */
    boolean sharesAuthority() {
        return several && byService;
    }

    Deployed withImage(String other) {
        return new Deployed(other, arguments, environment, replicas, several, webhookPort, byService);
    }
}
