package dev.kopf4j.testing.simulation;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import java.util.regex.Pattern;

/** Counts the writes of operators and their handlers. Confined to the simulation. */
final class WriteCount {
    /** What an operator writes to be seen alive. */
    private static final Pattern SIGNS_OF_LIFE = Pattern.compile(".*/(leases|(cluster)?kopfpeerings|events)(/.*)?");

    private int all;
    private int ofObjects;
    private int background;
    private String last = "none";

    void answered(ApiRequest request, ApiResponse response) {
        boolean byOperator = request.header("User-Agent").orElse("").startsWith("kopf4j/");
        boolean signOfLife = SIGNS_OF_LIFE.matcher(request.path()).matches();
        if (!byOperator || request.method().equals("GET") || signOfLife || response.status() == 404) {
            return;
        }
        all++;
        last = request.method() + " " + request.path();
        if (background > 0) {
            background--; // a timer or a daemon may write when it is called
        } else {
            ofObjects++;
        }
    }

    /** A timer or a daemon was called: it may write itself, and so may the operator for it. */
    void background() {
        background = 3;
    }

    int all() {
        return all;
    }

    int ofObjects() {
        return ofObjects;
    }

    String last() {
        return last;
    }
}
