package dev.kopf4j.webhook;

import java.time.Duration;

/** The options of a {@link WebhookAuthority}. */
record SecretAuthority(
        SecretName secret,
        Duration validFor,
        Duration rotatedBefore,
        Duration announcedFor,
        Duration certificatesValidFor)
        implements WebhookAuthority {
    SecretAuthority {
        check("validFor", validFor);
        check("rotatedBefore", rotatedBefore);
        check("announcedFor", announcedFor);
        check("certificatesValidFor", certificatesValidFor);
    }

    private static void check(String option, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(
                    option + "(...) of a webhook authority is longer than zero, not " + value);
        }
    }

    /** The durations fit together. Asked when they are used: on the way there they need not. */
    void checkTogether() {
        if (rotatedBefore.compareTo(validFor) >= 0 || announcedFor.compareTo(rotatedBefore) >= 0) {
            throw new IllegalArgumentException(
                    "a webhook authority is valid longer than it is rotated before its end, and that is longer than the next"
                            + " one is announced, but they are " + validFor + ", " + rotatedBefore + " and "
                            + announcedFor + ": change validFor(...), rotatedBefore(...) or announcedFor(...)");
        }
    }

    @Override
    public WebhookAuthority validFor(Duration value) {
        return new SecretAuthority(secret, value, rotatedBefore, announcedFor, certificatesValidFor);
    }

    @Override
    public WebhookAuthority rotatedBefore(Duration value) {
        return new SecretAuthority(secret, validFor, value, announcedFor, certificatesValidFor);
    }

    @Override
    public WebhookAuthority announcedFor(Duration value) {
        return new SecretAuthority(secret, validFor, rotatedBefore, value, certificatesValidFor);
    }

    @Override
    public WebhookAuthority certificatesValidFor(Duration value) {
        return new SecretAuthority(secret, validFor, rotatedBefore, announcedFor, value);
    }
}
