package dev.kopf4j.testing.recording;

import dev.kopf4j.devcluster.api.ApiRequest;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One request to the dev cluster, and its answer. Immutable.
 *
 * @param client the name of the client: {@code kopf4j} for the operator and its handlers
 * @param method the HTTP method
 * @param path the decoded path, without the query
 * @param query what its query asks for
 * @param status the HTTP status of the answer; 0 if the connection broke instead
 * @param user who was logged in, as far as the token tells; empty for the administrator
 * @param problem the server's message if it has refused the request
 */
public record RecordedRequest(
        String client,
        String method,
        String path,
        Query query,
        int status,
        Optional<String> user,
        Optional<String> problem) {
    private static final Pattern SELECTED_NAME = Pattern.compile("metadata\\.name==?([^=,]+)");

    /** The name of the operator as a client. */
    static final String OPERATOR = "kopf4j";

    /**
     * What the query of a request asks for. Immutable.
     *
     * @param selectedName the name of the one object that its field selector selects; empty for none
     * @param watch true if it has opened a watch
     * @param dryRun true if it is only to tell what would happen
     */
    public record Query(String selectedName, boolean watch, boolean dryRun) {
        static Query of(ApiRequest request) {
            return new Query(
                    selectedNameOf(request), request.isWatch(), request.query().containsKey("dryRun"));
        }

        private static String selectedNameOf(ApiRequest request) {
            return Pattern.compile(",")
                    .splitAsStream(request.parameter("fieldSelector"))
                    .map(SELECTED_NAME::matcher)
                    .filter(Matcher::matches)
                    .map(found -> found.group(1))
                    .findFirst()
                    .orElse("");
        }
    }

    /** The name of the one object that its field selector selects; empty for none. */
    public String selectedName() {
        return query.selectedName;
    }

    /** True if it has opened a watch. */
    public boolean watch() {
        return query.watch;
    }

    /** True if it is only to tell what would happen. */
    public boolean dryRun() {
        return query.dryRun;
    }

    /** True if the operator or one of its handlers has sent it. */
    public boolean byOperator() {
        return client.equals(OPERATOR);
    }

    /** True if it is to change something. */
    public boolean isWrite() {
        return !isRead() && !dryRun();
    }

    /** True if it is no request by which something can be changed. */
    boolean isRead() {
        return method.equals("GET");
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
                + (watch() ? "WATCH" : method) + " " + path + (dryRun() ? " (dry run) " : " ")
                + (status == 0 ? "no answer" : status)
                + problem.map(text -> ": " + text).orElse("");
    }

    /** In words, for messages. */
    @Override
    public String toString() {
        return client + ": " + (watch() ? "WATCH" : method) + " " + path + (dryRun() ? " (dry run)" : "") + " -> "
                + (status == 0 ? "connection broken" : status)
                + problem.map(text -> " " + text).orElse("");
    }
}
