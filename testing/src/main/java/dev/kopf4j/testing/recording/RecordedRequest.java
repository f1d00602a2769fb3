package dev.kopf4j.testing.recording;

import dev.kopf4j.devcluster.api.ApiRequest;
import java.util.Optional;

/**
 * One request to the dev cluster, and its answer. Immutable.
 *
 * @param client the name of the client: {@code kopf4j} for the operator and its handlers
 * @param method the HTTP method
 * @param path the decoded path, without the query
 * @param watch true if it has opened a watch
 * @param status the HTTP status of the answer; 0 if the connection broke instead
 * @param user who was logged in, as far as the token tells; empty for the administrator
 * @param problem the server's message if it has refused the request
 */
public record RecordedRequest(
        String client,
        String method,
        String path,
        boolean watch,
        int status,
        Optional<String> user,
        Optional<String> problem) {
    /** The name of the operator as a client. */
    static final String OPERATOR = "kopf4j";

    /** True if the operator or one of its handlers has sent it. */
    public boolean byOperator() {
        return client.equals(OPERATOR);
    }

    /** True if it is to change something. */
    public boolean isWrite() {
        return !method.equals("GET");
    }

    /** The name of a request's client, from its {@code User-Agent}. */
    static String clientOf(ApiRequest request) {
        String agent = request.header("User-Agent").orElse("?");
        int slash = agent.indexOf('/');
        return slash < 0 ? agent : agent.substring(0, slash);
    }

    /** In the words of a record, where the operator's requests are those without a name. */
    String words() {
        return (byOperator() ? "" : client + ": ")
                + (watch ? "WATCH" : method) + " " + path + " "
                + (status == 0 ? "no answer" : status)
                + problem.map(text -> ": " + text).orElse("");
    }

    /** In words, for messages. */
    @Override
    public String toString() {
        return client + ": " + (watch ? "WATCH" : method) + " " + path + " -> "
                + (status == 0 ? "connection broken" : status)
                + problem.map(text -> " " + text).orElse("");
    }
}
