/* Accounts: transfers keep the sum, and nothing is overdrawn. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_error(void);

#define ACCOUNTS 2

static unsigned balance[ACCOUNTS];
static unsigned fees, transfers;

static int valid(unsigned account) { return account < ACCOUNTS; }

static unsigned fee(unsigned amount)
{
    if (amount < 10)
        return 0;
    return amount >= 1000 ? 5 : 1;
}

static unsigned total(void)
{
    unsigned sum = fees, i;
    for (i = 0; i < ACCOUNTS; i++)
        sum += balance[i];
    return sum;
}

static int withdraw(unsigned account, unsigned amount)
{
    if (!valid(account) || balance[account] < amount)
        return 0;
    balance[account] -= amount;
    return 1;
}

static int deposit(unsigned account, unsigned amount)
{
    if (!valid(account))
        return 0;
    balance[account] += amount;
    return 1;
}

static int transfer(unsigned from, unsigned to, unsigned amount)
{
    unsigned cost = fee(amount);
    if (!valid(to) || amount > 10000)
        return 0;
    if (!withdraw(from, amount + cost))
        return 0;
    deposit(to, amount);
    fees += cost;
    transfers++;
    return 1;
}

int main(void)
{
    unsigned before, i;
    for (i = 0; i < ACCOUNTS; i++) {
        balance[i] = __VERIFIER_nondet_uint();
        __VERIFIER_assume(balance[i] <= 1000);
    }
    before = total();
    transfer(__VERIFIER_nondet_uint(), __VERIFIER_nondet_uint(), __VERIFIER_nondet_uint());
    transfer(__VERIFIER_nondet_uint(), __VERIFIER_nondet_uint(), __VERIFIER_nondet_uint());
    if (total() != before)
        __VERIFIER_error();
    for (i = 0; i < ACCOUNTS; i++)
        if (balance[i] > 21000)
            __VERIFIER_error();
    return 0;
}
